import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedBills } from '@/lib/cli/demo/seed-bills';
import { type Bill, type BillStatus, isOverpaid, remainingAmount } from '@/lib/gateway/bills/rules';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { DAY_MS } from '@/lib/platform/core/clock';
import { parseMobile } from '@/lib/platform/core/mobile';
import { accessOf, makeMember } from '@/testing/data/access';
import { queriesOf } from '@/testing/data/bill-queries';
import { pay } from '@/testing/data/paying';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/testing/runtime';
import { explaining } from '@/testing/schema/explain';
import { ALL_BILLS, BILL_TABS, type BillFilter, type BillQuery, inTab, periodInstants, SORTS, sortOf } from './bill-query';
import { type BillPage, listBills, selectBills } from './list-bills';
import { findPage } from './list-store';

const runtime = testRuntime();
const BILLS = 1_200;
/** Small limits, so that the test needs only a few bills to exceed them. No limits: the usual ones, which are exceeded by many more bills. */
const SMALL = { collected: 10, summed: 10, counted: 40 };
type Limits = typeof SMALL | undefined;
let shop: TestMerchant;
let access: MerchantAccess;

interface Known extends Pick<Bill, 'id' | 'amount' | 'paidAmount' | 'reference' | 'createdAt' | 'paidAt' | 'closedAt'> {
  readonly status: BillStatus;
  readonly dueAt: Date | null;
  /** Oldest first. */
  readonly prompts: readonly {
    readonly mobile: string;
    readonly network: string;
    readonly state: string;
    readonly reason: string | null;
    readonly ended: string | null;
  }[];
  readonly payments: readonly { readonly network: string; readonly at: string }[];
}
let known: readonly Known[];

beforeAll(async () => {
  const { db } = runtime();
  shop = await makeMerchant(runtime());
  access = await accessOf(runtime(), shop, shop.email);
  const neighbour = await makeMerchant(runtime(), 'Jirani');
  for (const [merchant, bills] of [
    [shop, BILLS],
    [neighbour, 200],
  ] as const) {
    await seedBills(runtime(), { scope: merchant.scope('sandbox'), uniqueReferences: false, bills, onProgress: () => undefined });
  }
  const paid = await db.query<{ id: string }>({ text: "SELECT id FROM bill WHERE status = 'FULLY_PAID' ORDER BY id LIMIT 60" });
  for (const { id } of paid) await pay(runtime(), id, 700_000n);
  await db.query({ text: "UPDATE bill SET due_at = created_at + (amount % 60) * interval '1 day' WHERE amount % 5 = 0" });
  known = await db.query<Known & Record<string, unknown>>(
    {
      text: `SELECT b.id, b.amount, b.paid_amount AS "paidAmount", b.reference, b.status, b.created_at AS "createdAt", b.paid_at AS "paidAt", b.closed_at AS "closedAt", b.due_at AS "dueAt",
               coalesce(jsonb_agg(jsonb_build_object('mobile', a.mobile, 'network', a.network, 'state', a.state,
                 'reason', a.failure_reason, 'ended', a.settled_at) ORDER BY a.id) FILTER (WHERE a.id IS NOT NULL), '[]') AS prompts,
               (SELECT coalesce(jsonb_agg(jsonb_build_object('at', l.created_at, 'network', coalesce(t.network, 'other'))), '[]') FROM payment_allocation l
                JOIN payment p ON p.id = l.payment_id LEFT JOIN push_attempt t ON t.id = p.attempt_id WHERE l.bill_id = b.id AND l.amount > 0) AS payments
             FROM bill b LEFT JOIN push_attempt a ON a.bill_id = b.id WHERE b.merchant_id = $1 GROUP BY b.id`,
    },
    [shop.merchant.id],
  );
});

/** Computes the expected list without a database. */
function expected({ filter, sort }: BillQuery, now: Date): string[] {
  const period = filter.period === null ? { from: null, until: null } : periodInstants(filter.period, now);
  const kept = known.filter((bill) => {
    const within = (at: Date | null) =>
      filter.period === null ||
      (at !== null && (period.from === null || at >= period.from) && (period.until === null || at < period.until));
    const { by, network, mobile, failed, reason, unknown } = filter;
    const isFailed = ({ state }: Known['prompts'][number]) => state === 'FAILED' || state === 'EXPIRED';
    const failedFor = (prompt: Known['prompts'][number]) =>
      (prompt.state === 'EXPIRED' || prompt.reason === 'user_timeout' ? 'no_answer' : (prompt.reason ?? 'none')) === reason;
    const aboutPrompts =
      mobile !== null || failed || unknown || reason !== null || by === 'ended' || (network !== null && by !== 'received');
    const wanted = (prompt: Known['prompts'][number]) =>
      (mobile === null || prompt.mobile === mobile) &&
      (network === null || by === 'received' || prompt.network === network) &&
      ((!failed && !unknown && reason === null) ||
        ((failed || reason !== null) && isFailed(prompt)) ||
        (unknown && prompt.state === 'UNKNOWN')) &&
      (reason === null || failedFor(prompt)) &&
      (by !== 'ended' || (prompt.state !== 'UNKNOWN' && within(prompt.ended === null ? null : new Date(prompt.ended))));
    return (
      (filter.statuses.length === 0 || filter.statuses.includes(bill.status)) &&
      (filter.closed === null || (bill.closedAt !== null) === filter.closed) &&
      (by === 'received' || by === 'ended' || within({ paid: bill.paidAt, created: bill.createdAt, due: bill.dueAt }[by])) &&
      (by !== 'received' || bill.payments.some((paid) => within(new Date(paid.at)) && (network === null || paid.network === network))) &&
      (!aboutPrompts || bill.prompts.some(wanted)) &&
      (filter.least === null || bill.amount >= filter.least) &&
      (filter.most === null || bill.amount <= filter.most) &&
      (filter.reference === null || bill.reference.startsWith(filter.reference)) &&
      (!filter.overpaid || isOverpaid(bill)) &&
      (!filter.lastFailed ||
        (bill.status !== 'FULLY_PAID' && bill.closedAt === null && ['FAILED', 'EXPIRED'].includes(bill.prompts.at(-1)?.state ?? '')))
    );
  });
  const { key, descending } = sortOf({ filter, sort, size: 25 });
  const value = (bill: Known) => (key === 'amount' ? bill.amount : key === 'paid' ? BigInt(bill.paidAt?.getTime() ?? 0) : 0n);
  const compare = (a: Known, b: Known) => (value(a) === value(b) ? (a.id < b.id ? -1 : 1) : value(a) < value(b) ? -1 : 1);
  return kept.sort((a, b) => (descending ? compare(b, a) : compare(a, b))).map(({ id }) => id);
}

async function page(query: BillQuery, at: string | null, limits?: Limits): Promise<BillPage> {
  const listed = await listBills(runtime(), access, { ...query, page: at, ...(limits && { limits }) });
  if (!listed.ok) throw new Error(listed.error);
  return listed.value;
}

const ids = ({ bills }: BillPage) => bills.map(({ id }) => id);

/** Reads all pages in their order. */
async function walk(query: BillQuery, limits?: Limits): Promise<BillPage[]> {
  const pages = [await page(query, null, limits)];
  for (let next = pages[0]?.next ?? null; next !== null; ) {
    const following = await page(query, next, limits);
    pages.push(following);
    next = following.next;
  }
  return pages;
}

/** Compares the sums of a list and the numbers of bills in its tabs with those that plain JavaScript computes. */
function checkSummary(first: BillPage | undefined, query: BillQuery, limits: Limits): void {
  const now = runtime().clock();
  const inList = new Set(expected(query, now));
  const bills = known.filter(({ id }) => inList.has(id));
  const sum = (of: (bill: Known) => bigint) => bills.reduce((total, bill) => total + of(bill), 0n);
  const totals = {
    count: bills.length,
    amount: sum(({ amount }) => amount),
    paid: sum(({ paidAmount }) => paidAmount),
    outstanding: sum((bill) => (bill.closedAt === null ? remainingAmount(bill) : 0n)),
  };
  if (!limits || first?.totals) expect(first?.totals).toEqual(totals);
  for (const { tab, count, more } of first?.tabs ?? []) {
    const inTabNow = expected({ ...query, filter: inTab(query.filter, tab) }, now).length;
    if (!limits) expect(more).toBe(false);
    if (more) expect(count, tab).toBeLessThanOrEqual(inTabNow);
    else expect(count, tab).toBe(inTabNow);
  }
  expect(first?.tabs.map(({ tab }) => tab)).toEqual(BILL_TABS);
}

test('a list contains the same bills in the same order as a filter in plain JavaScript, each once', async () => {
  const today = new Date(runtime().clock()).toISOString().slice(0, 10);
  const yearAgo = new Date(runtime().clock().getTime() - 400 * DAY_MS).toISOString().slice(0, 10);
  const queries = queriesOf({
    references: fc
      .nat(BILLS - 1)
      .chain((index) => fc.integer({ min: 1, max: 14 }).map((length) => known[index]?.reference.slice(0, length) ?? 'x')),
    mobiles: fc.nat(BILLS - 1).map((index) => parseMobile(known[index]?.prompts[0]?.mobile ?? '')),
    least: yearAgo,
    most: today,
  });
  await fc.assert(
    fc.asyncProperty(queries, fc.constantFrom(undefined, SMALL), async (query, limits) => {
      const wanted = expected(query, runtime().clock());
      const pages = await walk(query, limits);
      expect(pages.flatMap(ids)).toEqual(wanted);
      checkSummary(pages[0], query, limits);
    }),
    { numRuns: 60 },
  );
});

describe('pages', () => {
  const query: BillQuery = { filter: ALL_BILLS, sort: 'largest', size: 100 };

  test('can be walked forwards and backwards over equal amounts, and the page before the second one is a full first page', async () => {
    const pages = await walk(query);
    for (const [index, { previous }] of pages.entries()) {
      const before = pages[index - 1];
      if (previous === null || !before) expect(index).toBe(0);
      else expect(ids(await page(query, previous))).toEqual(ids(before));
    }
  });

  test('with a cursor of another sort order or an invalid one fall back to the first page and report it', async () => {
    const next = (await page(query, null)).next ?? '';
    for (const at of [next, 'AAAA', 'page-2', `${next}x`.repeat(9)]) {
      const shown = await page({ ...query, sort: 'oldest' }, at);
      expect(shown).toMatchObject({ pageInvalid: true, previous: null });
      expect(shown.bills).toHaveLength(100);
    }
  });
});

test('a bill is overpaid if it got more than its amount in whole shillings, and such bills are found by an index that contains only them', async () => {
  const exact = await makeBill(runtime(), shop, { amount: 12_500.5, reference: 'ROUNDED' });
  const over = await makeBill(runtime(), shop, { amount: 12_500.5, reference: 'OVER' });
  await pay(runtime(), exact, 1_250_100n);
  await pay(runtime(), over, 1_250_200n);
  const query: BillQuery = { filter: { ...ALL_BILLS, overpaid: true }, sort: 'newest', size: 25 };
  const found = await page(query, null);
  const wanted = expected(query, runtime().clock()).length;
  expect(found.bills[0]?.id).toBe(over);
  expect(found.totals?.count).toBe(wanted + 1);
  const { db, scans } = explaining(runtime().db);
  await findPage(db, selectBills(access, query.filter, runtime().clock()), {
    key: 'created',
    descending: true,
    cursor: null,
    limit: 1_000,
  });
  expect(Math.max(...scans.filter(({ table }) => table === 'bill').map(({ rows }) => rows))).toBeLessThanOrEqual(wanted + 1);
});

test.each(SORTS)('a filter that few bills meet reads only these bills, also with the order %s', async (sort) => {
  const mobile = parseMobile(known.findLast(({ prompts }) => prompts.length > 0)?.prompts[0]?.mobile ?? '');
  const query: BillQuery = { filter: { ...ALL_BILLS, mobile }, sort, size: 25 };
  const { db, scans } = explaining(runtime().db);
  await findPage(db, selectBills(access, query.filter, runtime().clock()), { ...sortOf(query), cursor: null, limit: 26 });
  const read = scans.filter(({ table }) => table === 'bill').reduce((sum, { rows }) => sum + rows, 0);
  expect(read).toBe(expected(query, runtime().clock()).length);
});

test('the bills of receiver checks are hidden unless somebody asks for them', async () => {
  const check = await makeBill(runtime(), shop, { amount: 1_000, reference: 'CHECK-AB12CD34' });
  // Ids of the same millisecond are in random order.
  runtime().advance(1);
  const order = await makeBill(runtime(), shop, { amount: 1_000, reference: 'CHECK-IN' });
  const newest = (filter: Partial<BillFilter>) => page({ filter: { ...ALL_BILLS, ...filter }, sort: 'newest', size: 25 }, null);
  const hidden = await newest({});
  expect(hidden.bills[0]?.id).toBe(order);
  expect(ids(hidden)).not.toContain(check);
  const shown = await newest({ checks: true });
  expect(ids(shown)).toContain(check);
  expect(shown.totals?.count).toBe((hidden.totals?.count ?? 0) + 1);
  expect(ids(await newest({ reference: 'CHECK-' }))).toEqual([order, check]);
});

test('a list of too many bills has no sums, and its tabs are counted up to a limit', async () => {
  const query: BillQuery = { filter: ALL_BILLS, sort: 'newest', size: 25 };
  const { tabs, totals } = await page(query, null, SMALL);
  expect(totals).toBeNull();
  expect(tabs.find(({ tab }) => tab === 'paid')).toEqual({ tab: 'paid', count: SMALL.counted, more: true });
  expect(tabs.find(({ tab }) => tab === 'overpaid')).toMatchObject({ more: true });
  const filtered = await page({ ...query, filter: { ...ALL_BILLS, network: 'vodacom' } }, null, SMALL);
  expect(filtered.tabs.every(({ count, more }) => count === 0 && more)).toBe(true);
});

test('each bill comes with its newest attempt', async () => {
  const listed = await page({ filter: { ...ALL_BILLS, lastFailed: true }, sort: 'newest', size: 100 }, null);
  expect(listed.bills.length).toBeGreaterThan(0);
  for (const { attempts } of listed.bills)
    expect(attempts.map(({ state }) => state)).toEqual([expect.stringMatching(/^(FAILED|EXPIRED)$/)]);
});

test('a collector sees only the bills that they created', async () => {
  const email = await makeMember(runtime(), shop, 'collector');
  const collector = await accessOf(runtime(), shop, email);
  const own = await makeBill(runtime(), shop, { reference: 'OWN' });
  await runtime().db.query({ text: 'UPDATE bill SET created_by_id = $1 WHERE id = $2' }, [collector.user.id, own]);
  const listed = await listBills(runtime(), collector, { filter: ALL_BILLS, sort: 'newest', size: 25, page: null });
  expect(listed.ok && listed.value.bills.map(({ id }) => id)).toEqual([own]);
  expect(listed.ok && listed.value.totals?.count).toBe(1);
  const live = await accessOf(runtime(), shop, shop.email, 'live');
  expect(await listBills(runtime(), live, { filter: ALL_BILLS, sort: 'newest', size: 25, page: null })).toMatchObject({
    value: { bills: [] },
  });
});

test.each([
  ['a page that no calendar has', { filter: { ...ALL_BILLS, period: 'today', by: 'paid' } }, `p>${2n ** 63n - 1n}`],
  ['the last page of the calendar', { filter: { ...ALL_BILLS, period: 'today', by: 'paid' } }, 'p<8640000000000000'],
  ['an amount beyond all', { sort: 'largest' }, `a<${2n ** 63n - 1n}`],
  ['days long past and far ahead', { filter: { ...ALL_BILLS, period: { from: '0100-01-01', to: '9999-12-31' } } }, null],
  ['the same of payment', { filter: { ...ALL_BILLS, period: { from: '0100-01-01', to: '9999-12-31' }, by: 'paid' } }, null],
] as const)('%s is handled without an error', async (_, query, place) => {
  const page = place && Buffer.from(`${place}.${crypto.randomUUID()}`).toString('base64url');
  expect((await listBills(runtime(), access, { filter: ALL_BILLS, sort: 'newest', size: 25, ...query, page })).ok).toBe(true);
});
