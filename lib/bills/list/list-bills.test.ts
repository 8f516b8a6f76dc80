import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { type Bill, type BillStatus, isOverpaid, remainingAmount } from '@/lib/bills/rules';
import { DAY_MS } from '@/lib/core/clock';
import { parseMobile } from '@/lib/core/mobile';
import { seedBills } from '@/lib/demo/seed-bills';
import { accessOf, makeMember } from '@/lib/testing/data/access';
import { queriesOf } from '@/lib/testing/data/bill-queries';
import { pay } from '@/lib/testing/data/paying';
import { makeBill, makeMerchant, type TestMerchant, testRuntime } from '@/lib/testing/runtime';
import { explaining } from '@/lib/testing/schema/explain';
import { BILL_TABS, inTab } from './bill-tabs';
import { ALL_BILLS, type BillFilter, type BillQuery } from './filter';
import { type BillPage, listBills, selectBills } from './list-bills';
import { LIMITS, type ListingLimits } from './listing-limits';
import { IN_ORDER, listBillRows, planListing, readListing } from './listing-store';
import { sortOf } from './page-cursor';
import { periodInstants } from './period';
import { newestOfTabsStatement } from './summary-statements';

const runtime = testRuntime();
const BILLS = 1_200;
/** Small limits, so that the test needs only a few bills to exceed them. The real limits are exceeded only by many more bills. */
const READ_IN_ORDER: ListingLimits = { sortedMax: 10, sortedMaxUnordered: 20, comparedMax: 50, tabCandidates: 40 };
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
}, 60_000);

/** Computes the expected list without a database. */
function expected({ filter, sort }: BillQuery, now: Date): string[] {
  const period = filter.period === null ? { from: null, until: null } : periodInstants(filter.period, now);
  const kept = known.filter((bill) => {
    const within = (at: Date | null) =>
      filter.period === null ||
      (at !== null && (period.from === null || at >= period.from) && (period.until === null || at < period.until));
    const { by, network, failed, reason } = filter;
    const oneAttempt = by === 'ended' || reason !== null;
    const failedFor = (prompt: Known['prompts'][number]) =>
      reason === null ||
      (prompt.state !== 'SUCCEEDED' &&
        (prompt.state === 'EXPIRED' || prompt.reason === 'user_timeout' ? 'no_answer' : (prompt.reason ?? 'none')) === reason);
    return (
      (filter.statuses.length === 0 || filter.statuses.includes(bill.status)) &&
      (filter.closed === null || (bill.closedAt !== null) === filter.closed) &&
      (by === 'received' || by === 'ended' || within({ paid: bill.paidAt, created: bill.createdAt, due: bill.dueAt }[by])) &&
      (by !== 'received' || bill.payments.some((paid) => within(new Date(paid.at)) && (network === null || paid.network === network))) &&
      (!oneAttempt ||
        bill.prompts.some(
          (prompt) =>
            (failed ? ['FAILED', 'EXPIRED'] : ['SUCCEEDED', 'FAILED', 'EXPIRED']).includes(prompt.state) &&
            (by !== 'ended' || within(prompt.ended === null ? null : new Date(prompt.ended))) &&
            (network === null || prompt.network === network) &&
            failedFor(prompt),
        )) &&
      (filter.least === null || bill.amount >= filter.least) &&
      (filter.most === null || bill.amount <= filter.most) &&
      (filter.reference === null || bill.reference.startsWith(filter.reference)) &&
      (filter.mobile === null || bill.prompts.some(({ mobile }) => mobile === filter.mobile)) &&
      (network === null || oneAttempt || by === 'received' || bill.prompts.some((prompt) => prompt.network === network)) &&
      (!failed || oneAttempt || bill.prompts.some(({ state }) => state === 'FAILED' || state === 'EXPIRED')) &&
      (!filter.unknown || bill.prompts.some(({ state }) => state === 'UNKNOWN')) &&
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

async function page(query: BillQuery, at: string | null, limits = LIMITS): Promise<BillPage> {
  const listed = await listBills(runtime(), access, { ...query, page: at, limits });
  if (!listed.ok) throw new Error(listed.error);
  return listed.value;
}

const ids = ({ bills }: BillPage) => bills.map(({ id }) => id);

/** Reads all pages in their order. */
async function walk(query: BillQuery, limits = LIMITS): Promise<BillPage[]> {
  const pages = [await page(query, null, limits)];
  for (let next = pages[0]?.next ?? null; next !== null; ) {
    const following = await page(query, next, limits);
    pages.push(following);
    next = following.next;
  }
  return pages;
}

/** Compares the sums of a list and the numbers of bills in its tabs with those that plain JavaScript computes. */
function checkSummary(first: BillPage | undefined, query: BillQuery, limits: ListingLimits): void {
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
  const { summary } = first ?? {};
  if (limits === LIMITS || summary?.totals) expect(summary?.totals).toEqual(totals);
  for (const { tab, count, more } of summary?.tabs ?? []) {
    const inTabNow = expected({ ...query, filter: inTab(query.filter, tab) }, now).length;
    if (limits === LIMITS) expect(more).toBe(false);
    if (more) expect(count, tab).toBeLessThanOrEqual(inTabNow);
    else expect(count, tab).toBe(inTabNow);
  }
  expect(summary?.tabs.map(({ tab }) => tab)).toEqual(BILL_TABS);
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
    fc.asyncProperty(queries, fc.constantFrom(LIMITS, READ_IN_ORDER), async (query, limits) => {
      const wanted = expected(query, runtime().clock());
      const pages = await walk(query, limits);
      expect(pages.flatMap(ids)).toEqual(wanted);
      const { total } = pages[0] ?? {};
      if (typeof total === 'number' || limits === LIMITS) expect(total).toBe(wanted.length);
      if (total === 'many') expect(wanted.length).toBeGreaterThan(limits.sortedMax);
      checkSummary(pages[0], query, limits);
    }),
    { numRuns: 60 },
  );
}, 120_000);

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
  expect(found.total).toBe(wanted + 1);
  const scans = await readListing(runtime().db, async (tx) => {
    const explained = explaining(tx);
    const listed = selectBills(access, query.filter, runtime().clock());
    const plan = await planListing(tx, listed, 'created');
    await listBillRows(explained.db, listed, plan, { key: 'created', descending: true, cursor: null, limit: 1_000 });
    return explained.scans;
  });
  expect(Math.max(...scans.filter(({ table }) => table === 'bill').map(({ rows }) => rows))).toBeLessThanOrEqual(wanted + 1);
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
  expect(shown.summary.totals?.count).toBe((hidden.summary.totals?.count ?? 0) + 1);
  expect(ids(await newest({ reference: 'CHECK-' }))).toEqual([order, check]);
});

test('a list of too many bills is summed up by reading the newest candidates of each tab, with index scans', async () => {
  const query: BillQuery = { filter: { ...ALL_BILLS, network: 'vodacom' }, sort: 'newest', size: 25 };
  const { tabs, totals } = (await page(query, null, READ_IN_ORDER)).summary;
  expect(totals).toBeNull();
  expect(tabs.find(({ tab }) => tab === 'paid')).toMatchObject({ more: true });
  const scans = await readListing(runtime().db, async (tx) => {
    const explained = explaining(tx);
    const selection = selectBills(access, query.filter, runtime().clock());
    await IN_ORDER.rows(tx, {});
    const { statement, values } = newestOfTabsStatement(selection, READ_IN_ORDER.tabCandidates);
    await statement.rows(explained.db, values);
    return explained.scans;
  });
  expect(scans.filter(({ kind }) => kind === 'Seq Scan')).toEqual([]);
  // A scan may run once for each of the seven tabs. It may only read the tab's candidates, not the whole table.
  for (const table of ['bill', 'push_attempt'])
    expect(Math.max(...scans.filter((scan) => scan.table === table).map(({ rows }) => rows))).toBeLessThanOrEqual(
      READ_IN_ORDER.tabCandidates * 2,
    );
});

test('each bill comes with its newest attempt', async () => {
  const listed = await page({ filter: { ...ALL_BILLS, lastFailed: true }, sort: 'newest', size: 100 }, null);
  expect(listed.bills.length).toBeGreaterThan(0);
  for (const { attempt } of listed.bills) expect(['FAILED', 'EXPIRED']).toContain(attempt?.state);
});

test('a collector sees only the bills that they created', async () => {
  const email = await makeMember(runtime(), shop, 'collector');
  const collector = await accessOf(runtime(), shop, email);
  const own = await makeBill(runtime(), shop, { reference: 'OWN' });
  await runtime().db.query({ text: 'UPDATE bill SET created_by_id = $1 WHERE id = $2' }, [collector.user.id, own]);
  const listed = await listBills(runtime(), collector, { filter: ALL_BILLS, sort: 'newest', size: 25, page: null });
  expect(listed.ok && listed.value.bills.map(({ id }) => id)).toEqual([own]);
  expect(listed.ok && listed.value.total).toBe(1);
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
