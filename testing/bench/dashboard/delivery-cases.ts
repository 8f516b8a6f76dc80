import { deliveryQuery } from '@/lib/backoffice/delivery-log/delivery-query';
import { listDeliveryPage } from '@/lib/backoffice/delivery-log/list-deliveries';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { Case } from './cases';
import type { Shop } from './stage';

const FILTERS: readonly (readonly [name: string, query: Readonly<Record<string, string>>])[] = [
  ['list', {}],
  ['delivered', { state: 'DELIVERED' }],
  ['waiting, few', { state: 'PENDING' }],
  ['being sent, none', { state: 'SENDING' }],
  ['exhausted, few', { state: 'EXHAUSTED' }],
  ['unsent, none', { state: 'UNSENT' }],
  ['of bills paid', { status: 'FULLY_PAID' }],
  ['of bills partly paid', { status: 'PARTIALLY_PAID' }],
  ['of bills not paid, few', { status: 'NOT_PAID' }],
  ['sent again by hand, few', { trigger: 'manual' }],
  ['sent again in bulk, none', { trigger: 'bulk' }],
  ['failed, few', { failed: '1' }],
  ['failed, by hand, none', { failed: '1', trigger: 'manual' }],
  ['of no bill', { bill: 'nothing such' }],
];
/** The number of a later page, which must cost as much as the first. */
const FAR_PAGE = 10_000;

/** Returns the measured cases of a shop's webhooks. The unusual deliveries of the shop are its oldest ones. */
export async function deliveryCases(runtime: Runtime, shop: Shop): Promise<Case[]> {
  const list = (name: string, asked: Readonly<Record<string, string>>, before: string | null = null): Case => ({
    name: `webhooks: ${name}`,
    run: () => listDeliveryPage(runtime, shop.access, { query: deliveryQuery((field) => asked[field] ?? null), before }),
    page: `webhooks/deliveries?${new URLSearchParams({ ...asked, ...(before !== null && { before }) })}`,
  });
  const { scope } = shop.access;
  const [sample] = await runtime.db.query<{ far: string; day: string; reference: string }>(
    {
      text: `WITH counted AS (SELECT count(*)::int AS all FROM webhook_delivery WHERE merchant_id = $1 AND environment = $2)
             SELECT d.id AS far, to_char(d.created_at, 'YYYY-MM-DD') AS day, b.reference FROM webhook_delivery d JOIN bill b ON b.id = d.bill_id
             WHERE d.merchant_id = $1 AND d.environment = $2
             ORDER BY d.id DESC OFFSET (SELECT least($3, counted.all - 26) FROM counted) LIMIT 1`,
    },
    [scope.merchantId, scope.environment, (FAR_PAGE - 1) * 25],
  );
  if (!sample) throw new Error('there are no webhooks');
  return [
    ...FILTERS.map(([name, query]) => list(name, query)),
    list('of one bill', { bill: sample.reference }),
    list('of a day', { from: sample.day, to: sample.day }),
    list('failed on a day, none', { from: sample.day, to: sample.day, failed: '1' }),
    list(`page ${FAR_PAGE}, or the last`, {}, sample.far),
  ];
}
