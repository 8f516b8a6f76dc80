import { formatCursor, parseBillQuery, queryValues } from '@/lib/backoffice/bill-list/bill-query';
import { listBills } from '@/lib/backoffice/bill-list/list-bills';
import { exportBills } from '@/lib/backoffice/export/export-bills';
import { USUAL_COLUMNS } from '@/lib/backoffice/export/export-columns';
import { showOverview } from '@/lib/backoffice/overview/show-overview';
import { searchBills } from '@/lib/backoffice/search/search-bills';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { createRegistry } from '@/lib/providers/registry';
import { deliveryCases } from './delivery-cases';
import type { Shop } from './stage';

/** A measured part of the dashboard. */
export interface Case {
  readonly name: string;
  /** Runs only the use case. */
  run(): Promise<unknown>;
  /**
   * The path of the page below the environment. Null if this part of the dashboard has no page, or if another benchmark measures the page.
   */
  readonly page: string | null;
}

/** A paid bill of a shop, with the texts by which it can be found. */
interface Sample {
  readonly id: string;
  readonly reference: string;
  readonly mobile: string;
  readonly receipt: string;
  readonly ours: string;
}

const YESTERDAY = addMs(new Date(), -DAY_MS);
const HALF_YEAR_AGO = addMs(new Date(), -180 * DAY_MS);
const FILTERS: readonly (readonly [name: string, query: string])[] = [
  ['list', ''],
  ['oldest first', 'sort=oldest'],
  ['largest first', 'sort=largest'],
  ['smallest first, 100', 'sort=smallest&size=100'],
  ['not paid', 'status=NOT_PAID'],
  ['partly paid, largest first', 'status=PARTIALLY_PAID&sort=largest'],
  ['closed', 'state=closed'],
  ['overpaid', 'overpaid=1'],
  ['waiting for money', 'status=NOT_PAID&state=open'],
  ['failed request', 'last=failed'],
  ['failed request, largest first', 'last=failed&sort=largest'],
  ['open', 'state=open'],
  ['created this month', 'period=this_month'],
  ['created this month, largest first', 'period=this_month&sort=largest'],
  ['paid last month', 'period=last_month&by=paid'],
  ['paid last month, largest first', 'period=last_month&by=paid&sort=largest'],
  ['received today', 'period=today&by=received'],
  ['received this month, network of many', 'period=this_month&by=received&network=vodacom'],
  ['received last month, oldest first', 'period=last_month&by=received&sort=oldest'],
  ['ended this month, network and reason', 'period=this_month&by=ended&failed=1&network=vodacom&reason=wrong_pin'],
  ['due this month, waiting', 'period=this_month&by=due&status=NOT_PAID&status=PARTIALLY_PAID&state=open'],
  ['overdue', `to=${YESTERDAY.toISOString().slice(0, 10)}&by=due&status=NOT_PAID&status=PARTIALLY_PAID&state=open`],
  ['due yesterday', 'period=yesterday&by=due'],
  ['today, largest first', 'period=today&sort=largest'],
  ['amount from 5,000 to 6,000', 'least=5000&most=6000'],
  ['amount of 7,500', 'least=7500&most=7500'],
  ['network of many', 'network=vodacom'],
  ['network of few', 'network=ttcl'],
  ['network of few, largest first', 'network=ttcl&sort=largest'],
  ['network of nobody', 'network=other'],
  ['reference of many', 'reference=ORD'],
  ['reference of many, largest first', 'reference=ORD&sort=largest'],
  ['reference of a month', `reference=INV-${HALF_YEAR_AGO.toISOString().slice(0, 7)}`],
  ['reference of nobody', 'reference=nobody'],
  ['failed prompts', 'failed=1'],
  ['reason', 'reason=wrong_pin'],
  ['reason of nobody', 'reason=number_refused'],
  ['unknown payment', 'unknown=1'],
  ['failed, few, partly paid', 'failed=1&network=ttcl&status=PARTIALLY_PAID'],
];
/** The number of a later page, which must cost as much as the first. */
const FAR_PAGE = 10_000;

/** Returns all measured cases of a shop. Add the cases of other pages here. */
export async function casesOf(runtime: Runtime, shop: Shop): Promise<Case[]> {
  const sample = await findSample(runtime, shop);
  const list = (name: string, text: string, page: string | null = null): Case => {
    const { query } = parseBillQuery(queryValues(new URLSearchParams(text)));
    return {
      name,
      run: () => listBills(runtime, shop.access, { ...query, page }),
      page: `bills?${text}${page === null ? '' : `&page=${page}`}`,
    };
  };
  const search = (name: string, text: string): Case => ({
    name: `search: ${name}`,
    run: () => searchBills(runtime, shop.access, { typed: text, shown: 25 }),
    page: `search?${new URLSearchParams({ q: text })}`,
  });
  return [
    ...FILTERS.map(([name, text]) => list(name, text)),
    list('its mobile number', `mobile=${sample.mobile}`),
    list(`page ${FAR_PAGE}, or the last`, '', await farPage(runtime, shop)),
    search('id', sample.id),
    search('reference', sample.reference),
    search('reference, beginning', sample.reference.slice(0, 8)),
    search('mobile number', sample.mobile),
    search('receipt', sample.receipt),
    search('our payment reference', sample.ours),
    search('reference, middle', sample.reference.slice(2, -1)),
    search('reference of many, middle', 'RD-'),
    search('mobile number, last four digits', sample.mobile.slice(-4)),
    search('mobile number, first four digits', sample.mobile.slice(0, 4)),
    search('receipt, middle', sample.receipt.slice(1, -1)),
    search('amount', '5,000/='),
    search('nothing', 'nothing such'),
    ...(await deliveryCases(runtime, shop)),
    { name: 'overview', run: () => showOverview(runtime, shop.access, { asked: { range: 'month' } }), page: 'overview' },
    { name: 'export, first 1,000 rows', run: () => exportStart(runtime, shop), page: null },
  ];
}

async function exportStart(runtime: Runtime, { access }: Shop): Promise<void> {
  const { query } = parseBillQuery({});
  const options = { format: 'csv', headings: 'code', columns: USUAL_COLUMNS, zone: 'eat', separator: 'comma', bom: false } as const;
  const exported = await exportBills({ ...runtime, providers: createRegistry(runtime, null) }, access, { query, options });
  if (!exported.ok) throw new Error(exported.error);
  await exported.value.next();
  await exported.value.next();
  await exported.value.return();
}

async function findSample({ db }: Runtime, { access: { scope } }: Shop): Promise<Sample> {
  const [sample] = await db.query<Sample & Record<string, unknown>>(
    {
      text: `SELECT b.id, b.reference, t.mobile, p.provider_transaction_id AS receipt, t.our_reference AS ours
             FROM payment p JOIN push_attempt t ON t.id = p.attempt_id JOIN bill b ON b.id = t.bill_id WHERE b.merchant_id = $1 LIMIT 1`,
    },
    [scope.merchantId],
  );
  if (!sample) throw new Error('no bill is paid');
  return sample;
}

async function farPage({ db }: Runtime, { access: { scope } }: Shop): Promise<string> {
  const [count] = await db.query<{ bills: number }>({ text: 'SELECT count(*)::int AS bills FROM bill WHERE merchant_id = $1' }, [
    scope.merchantId,
  ]);
  const before = Math.min((FAR_PAGE - 1) * 25, (count?.bills ?? 0) - 25);
  const [bill] = await db.query<{ id: string }>({ text: 'SELECT id FROM bill WHERE merchant_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1' }, [
    scope.merchantId,
    before - 1,
  ]);
  return formatCursor('created', { side: 'after', position: { id: bill?.id ?? '', value: 0n } });
}
