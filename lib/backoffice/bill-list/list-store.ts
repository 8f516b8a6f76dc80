import { checkBillSql } from '@/lib/gateway/bills/check-bills';
import { BILL_STATUSES } from '@/lib/gateway/bills/rules';
import { BILL, billById, overpaidSql } from '@/lib/gateway/bills/store';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { lowestId } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { bill } from '@/lib/platform/db/generated/tables';
import { array, environment, int4, int8, type SqlType, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { variant } from '@/lib/platform/db/statement';
import {
  BILL_TABS,
  type BillFilter,
  type BillTab,
  type InstantRange,
  inTab,
  isUnfiltered,
  type PageCursor,
  type RequestReason,
  type SortKey,
  type TabFilter,
  tabOf,
} from './bill-query';

/**
 * The most bills that the index of a filter may find to be read all. If it finds more, a page is read in the order of the list, because then
 * it does not take long to find the bills of a page. In the order of creation only ids are sorted, so many more can be read.
 */
const COLLECTED_MAX: Readonly<Record<SortKey, number>> = { created: 100_000, paid: 10_000, amount: 10_000 };
/** The most bills that are read to add up a list and to count its tabs. */
const SUMMED_MAX = 10_000;
/** The bills of each tab are counted up to this number if they are too many to read them all. */
const COUNTED_MAX = 1_000;

/** A filter with its period as instants, and the bills that it selects from. */
export interface BillSelection {
  readonly scope: Scope;
  /** The member whose bills the list contains; null for all bills of the merchant. */
  readonly billsOf: string | null;
  readonly filter: BillFilter;
  readonly period: InstantRange;
}

/** Adds a parameter to a statement. Returns its placeholder. */
type Param = <Value>(type: SqlType<Value>, value: Value) => string;

export function parameters() {
  const types: Record<string, SqlType<unknown>> = {};
  const values: Record<string, unknown> = {};
  const param: Param = (type, value) => {
    const name = `p${Object.keys(types).length + 1}`;
    types[name] = type;
    values[name] = value;
    return `$${name}`;
  };
  return { param, types, values };
}

function within(column: string, { from, until }: InstantRange, param: Param): string[] {
  return [
    ...(from === null ? [] : [`${column} >= ${param(timestamptz, from)}`]),
    ...(until === null ? [] : [`${column} < ${param(timestamptz, until)}`]),
  ];
}

const inScope = ({ scope }: BillSelection, table: string, param: Param) => [
  `${table}.merchant_id = ${param(uuid, scope.merchantId)}`,
  `${table}.environment = ${param(environment, scope.environment)}`,
];

/**
 * How much a range of ids is extended beyond its period. An id contains the time at which the id was created, and the `created_at` of the
 * bill may differ slightly.
 */
const ID_SLACK_MS = MINUTE_MS;

/** Returns conditions for the id of a bill that follow from the period. No index has the times of creation, but those of ids have the ids. */
function idRange({ filter: { by }, period: { from, until } }: BillSelection, column: string, param: Param): string[] {
  return [
    ...(from !== null && by === 'created' ? [`${column} >= ${param(uuid, lowestId(from.getTime() - ID_SLACK_MS))}`] : []),
    // A bill that was paid in the period may have been created before it. A due date may be before the creation of the bill.
    ...(until !== null && by !== 'due' ? [`${column} < ${param(uuid, lowestId(until.getTime() + ID_SLACK_MS))}`] : []),
  ];
}

function reasonSql(reason: RequestReason, param: Param): string {
  if (reason === 'no_answer') return "(a.state = 'EXPIRED' OR a.failure_reason = 'user_timeout')";
  if (reason === 'none') return "a.state = 'FAILED' AND a.failure_reason IS NULL";
  return `a.failure_reason = ${param<string>(text, reason)}`;
}

const FAILED = "a.state IN ('FAILED', 'EXPIRED')";

/** Returns the conditions that one attempt `a` of a bill must meet; none if any bill will do, also one without attempts. */
function attemptConditions({ filter, period }: BillSelection, param: Param): string[] {
  const { by, network, mobile, failed, reason, unknown } = filter;
  const states = [...(failed || reason !== null ? [FAILED] : []), ...(unknown ? ["a.state = 'UNKNOWN'"] : [])];
  return [
    ...(mobile === null ? [] : [`a.mobile = ${param<string>(text, mobile)}`]),
    ...(network === null || by === 'received' ? [] : [`a.network = ${param<string>(text, network)}`]),
    ...(states.length === 0 ? [] : [`(${states.join(' OR ')})`]),
    ...(reason === null ? [] : [reasonSql(reason, param)]),
    ...(by === 'ended' ? ["a.state IN ('SUCCEEDED', 'FAILED', 'EXPIRED')", ...within('a.settled_at', period, param)] : []),
  ];
}

/** The network through which a payment `p` came. A payment that an operator recorded without an attempt has none. */
const PAID_THROUGH = "coalesce((SELECT t.network FROM push_attempt t WHERE t.id = p.attempt_id), 'other')";

/** Returns the conditions for an allocation `l` of a payment that was received in the period. */
function receivedConditions({ period }: BillSelection, param: Param): string[] {
  return ['l.amount > 0', ...within('l.created_at', period, param)];
}

/** Returns the condition that the payment of an allocation `l` came through the network of the filter. */
function throughNetwork({ filter: { network } }: BillSelection, param: Param): string[] {
  return network === null
    ? []
    : [`(SELECT ${PAID_THROUGH} FROM payment p WHERE p.id = l.payment_id AND p.source = 'provider') = ${param<string>(text, network)}`];
}

/**
 * Returns whether a list leaves out the bills that checks of the webhook receiver created. Somebody who filters by the reference of such
 * bills wants to see them.
 */
function hidesChecks({ scope, filter }: BillSelection): boolean {
  return scope.environment === 'sandbox' && !filter.checks && !filter.reference?.startsWith('CHECK');
}

const BILL_INSTANTS = { created: 'b.created_at', paid: 'b.paid_at', due: 'b.due_at' } as const;

/** Returns whether all bills of a filter wait for money. Some indexes contain only such bills. */
function isWaiting({ statuses, closed, lastFailed }: TabFilter): boolean {
  return lastFailed || (closed === false && statuses.length > 0 && !statuses.includes('FULLY_PAID'));
}

/** Returns whether an index has the period of a filter. The index of the due dates has only bills that wait for money. */
function hasIndex(filter: BillFilter): boolean {
  return filter.by !== 'due' || isWaiting(filter);
}

function tabConditions(filter: TabFilter, param: Param): string[] {
  const { statuses, closed, overpaid } = filter;
  return [
    ...(statuses.length === 0 ? [] : [`b.status = ANY (${param(array(bill.status), statuses)}::bill_status[])`]),
    ...(closed === null ? [] : [`b.closed_at IS ${closed ? 'NOT ' : ''}NULL`]),
    ...(overpaid ? [overpaidSql('b.')] : []),
    ...(isWaiting(filter) ? ["b.status <> 'FULLY_PAID' AND b.closed_at IS NULL"] : []),
  ];
}

/** Returns the conditions for a bill `b` that an index may serve. With another condition, PostgreSQL could not read the index alone. */
function billConditions(selection: BillSelection, param: Param): string[] {
  const { billsOf, filter, period } = selection;
  const { by, least, most, reference } = filter;
  // An index is used only for LIKE.
  const begins = reference === null ? null : `${reference.replace(/[\\%_]/g, '\\$&')}%`;
  return [
    ...inScope(selection, 'b', param),
    ...idRange(selection, 'b.id', param),
    ...(billsOf === null ? [] : [`b.created_by_id = ${param(uuid, billsOf)}`]),
    ...tabConditions(filter, param),
    ...(least === null ? [] : [`b.amount >= ${param(int8, least)}`]),
    ...(most === null ? [] : [`b.amount <= ${param(int8, most)}`]),
    ...(begins === null ? [] : [`b.reference LIKE ${param(text, begins)}`]),
    ...(by === 'paid' ? ['b.paid_at IS NOT NULL'] : []),
    ...(by === 'created' || by === 'paid' || by === 'due' ? within(BILL_INSTANTS[by], period, param) : []),
  ];
}

/** OFFSET 0 makes PostgreSQL read the attempts of the bill first. Otherwise it might search all attempts in the order of their ids. */
const LAST_STATE = '(SELECT a.state FROM (SELECT id, state FROM push_attempt WHERE bill_id = b.id OFFSET 0) a ORDER BY a.id DESC LIMIT 1)';

function lastFailedCondition({ lastFailed }: TabFilter): string[] {
  return lastFailed ? [`${LAST_STATE} IN ('FAILED', 'EXPIRED')`] : [];
}

/** Returns the complete condition for a bill `b`. */
function conditions(selection: BillSelection, param: Param): string {
  const { by } = selection.filter;
  const attempt = attemptConditions(selection, param);
  // PostgreSQL evaluates a scalar subquery once for each bill. It may turn EXISTS into a join that reads every attempt. The subquery
  // compares the merchant, too, because every useful index starts with it.
  const some = (table: string, alias: string, all: readonly string[]) =>
    `(SELECT true FROM ${table} ${alias} WHERE ${alias}.bill_id = b.id AND ${alias}.merchant_id = b.merchant_id
      AND ${alias}.environment = b.environment AND ${all.join(' AND ')} LIMIT 1)`;
  return [
    ...billConditions(selection, param),
    ...(hidesChecks(selection) ? [`NOT ${checkBillSql('b.')}`] : []),
    ...lastFailedCondition(selection.filter),
    ...(attempt.length === 0 ? [] : [some('push_attempt', 'a', attempt)]),
    ...(by === 'received'
      ? [some('payment_allocation', 'l', [...receivedConditions(selection, param), ...throughNetwork(selection, param)])]
      : []),
  ].join(' AND ');
}

/**
 * Returns SQL for the ids of all bills that may be in a list, from the one table whose conditions usually select the fewest rows. The SQL has
 * no order, so that PostgreSQL chooses the index by the conditions alone. It may return other bills, and bills more than once.
 */
function candidates(selection: BillSelection, param: Param): string {
  const { filter, billsOf, period } = selection;
  const { by, mobile, network, failed, reason, unknown, lastFailed, reference, overpaid, closed, least, most } = filter;
  const rows = (table: string, alias: string, id: string, all: readonly string[]) =>
    `SELECT ${alias}.${id} AS id FROM ${table} ${alias} WHERE ${all.join(' AND ')}`;
  const ofTable = (table: string, alias: string, all: readonly string[]) =>
    rows(table, alias, 'bill_id', [...inScope(selection, alias, param), ...idRange(selection, `${alias}.bill_id`, param), ...all]);
  const attempts = () => {
    const all = attemptConditions(selection, param);
    return ofTable('push_attempt', 'a', all.length === 0 ? [FAILED] : all);
  };
  if (mobile !== null || unknown || by === 'ended') return attempts();
  if (by === 'received') return ofTable('payment_allocation', 'l', receivedConditions(selection, param));
  const ofBills = [billsOf, reference, overpaid || null, closed || null, least, most, period.from, period.until];
  if (ofBills.some((one) => one !== null)) return rows('bill', 'b', 'id', billConditions(selection, param));
  if (network !== null || failed || reason !== null || lastFailed) return attempts();
  return rows('bill', 'b', 'id', billConditions(selection, param));
}

/** Returns CTEs: `collected` has at most one more id than `most`, in any order and possibly twice, and `size` their number. */
function collect(selection: BillSelection, param: Param, { most, where = '' }: { readonly most: number; readonly where?: string }): string {
  return `collected AS MATERIALIZED (SELECT id FROM (${candidates(selection, param)}) candidate ${where} LIMIT ${most + 1}),
    size AS (SELECT count(*)::int AS found FROM collected)`;
}

/** Returns SQL for the collected bills; for none if there are more than `most`. */
function collectedBills(most: number, order = 'id'): string {
  return `(SELECT DISTINCT id FROM collected WHERE (SELECT found FROM size) <= ${most} ORDER BY ${order}) few
    CROSS JOIN LATERAL ${billById('few.id')}`;
}

/** Returns whether collecting bills first has no use: the index of an order serves the filter, or the filter has no other index. */
function isServed({ filter, billsOf }: BillSelection, key: SortKey): boolean {
  const { by } = filter;
  const others = { ...filter, checks: false };
  if (key === 'amount') return billsOf === null && isUnfiltered({ ...others, least: null, most: null });
  if (key === 'paid') return billsOf === null && isUnfiltered({ ...others, statuses: [], period: null, by: 'created' });
  const periodServed = by === 'created' || !hasIndex(filter);
  return isUnfiltered({ ...others, statuses: [], closed: null, overpaid: false, ...(periodServed && { period: null, by: 'created' }) });
}

interface Page {
  readonly key: SortKey;
  readonly descending: boolean;
  readonly cursor: PageCursor | null;
  readonly limit: number;
}

const ORDERS: Readonly<Record<SortKey, readonly string[]>> = { created: ['id'], paid: ['paid_at', 'id'], amount: ['amount', 'id'] };

/**
 * Returns the statement that finds the bills of a page. It reads them with the index that has the order of the list. If the filter has an
 * index of its own, this index first collects at most `most` bills. If these are all, they are sorted instead.
 */
export function pageStatement(selection: BillSelection, { key, descending, cursor, limit }: Page, most = COLLECTED_MAX[key]) {
  const { values, types, param } = parameters();
  const forwards = cursor?.side !== 'before';
  const [direction, sign] = descending === forwards ? ['DESC', '<'] : ['ASC', '>'];
  const order = (table: string) => ORDERS[key].map((column) => `${table}.${column} ${direction}`).join(', ');
  const position = cursor === null ? null : positionSql(key, cursor, param);
  const beyond = (table: string) =>
    position === null ? '' : ` AND (${ORDERS[key].map((column) => `${table}.${column}`).join(', ')}) ${sign} (${position})`;
  const where = conditions(selection, param);
  const count = `${param(int4, limit)}::int`;
  const first = (bills: string, sorted: string) => `(SELECT b.id, b.amount, b.paid_at FROM ${bills} ORDER BY ${sorted} LIMIT ${count})`;
  const inOrder = (when: string) => {
    if (key !== 'created') return first(`bill b WHERE ${where}${beyond('b')}${when}`, order('b'));
    const common = [...inScope(selection, 'b', param), ...idRange(selection, 'b.id', param)].join(' AND ');
    const parts = partsOf(selection, param).map(
      (part) => `(SELECT b.id FROM bill b WHERE ${common} AND ${part}${beyond('b')} ORDER BY ${order('b')})`,
    );
    const ids = `(SELECT id FROM (${parts.join(' UNION ALL ')}) part ORDER BY ${order('part')}) scan`;
    return first(`${ids} CROSS JOIN LATERAL ${billById('scan.id')} WHERE ${where}${when}`, order('scan'));
  };
  const collected = () => {
    const ctes = collect(selection, param, { most, where: key === 'created' ? `WHERE true${beyond('candidate')}` : '' });
    const few = first(`${collectedBills(most, `id ${direction}`)} WHERE ${where}${beyond('b')}`, order(key === 'created' ? 'few' : 'b'));
    const all = `${few} UNION ALL ${inOrder(` AND (SELECT found FROM size) > ${most}`)}`;
    return `WITH ${ctes} SELECT id FROM (${all}) page ORDER BY ${order('page')} LIMIT ${count}`;
  };
  const sql = isServed(selection, key) ? `SELECT id FROM ${inOrder('')} page ORDER BY ${order('page')}` : collected();
  return { values, statement: variant({ name: 'find the bills of a page', text: sql, parameters: types, columns: { id: uuid } }) };
}

/** Returns conditions that divide the bills of a list. For each part, an index has the bills in the order of their ids. */
function partsOf({ billsOf, filter }: BillSelection, param: Param): string[] {
  const { statuses, closed, overpaid } = filter;
  if (overpaid) return [overpaidSql('b.')];
  if (billsOf !== null) return [`b.created_by_id = ${param(uuid, billsOf)}`];
  if (closed) return ['b.closed_at IS NOT NULL'];
  const wanted = BILL_STATUSES.filter(
    (status) => (statuses.length === 0 || statuses.includes(status)) && !(status === 'FULLY_PAID' && isWaiting(filter)),
  );
  return wanted.length === 0 ? ['false'] : wanted.map((status) => `b.status = '${status}'`);
}

function positionSql(key: SortKey, { position: { id, value } }: PageCursor, param: Param): string {
  if (key === 'created') return param(uuid, id);
  return `${key === 'paid' ? param(timestamptz, new Date(Number(value))) : param(int8, value)}, ${param(uuid, id)}`;
}

/** Returns the ids of the bills of a page in the order of the list, also for a page before the cursor. */
export async function findPage(db: Queryable, selection: BillSelection, page: Page, most?: number): Promise<string[]> {
  const { statement, values } = pageStatement(selection, page, most);
  const ids = (await statement.rows(db, values)).map(({ id }) => id);
  return page.cursor?.side === 'before' ? ids.reverse() : ids;
}

/** The sums of all bills of a list. */
interface ListTotals {
  readonly count: number;
  readonly amount: Senti;
  readonly paid: Senti;
  /** What is left to pay on bills that are not closed, because nobody waits for the money of those. */
  readonly outstanding: Senti;
}

/** The number of bills in a tab. If `more` is true, there are too many bills to count, and `count` is only a lower limit. */
interface TabCount {
  readonly tab: BillTab;
  readonly count: number;
  readonly more: boolean;
}

export interface ListSummary {
  /** Null if there are too many bills to add up. */
  readonly totals: ListTotals | null;
  /** The numbers of bills in the tabs, with all filters of the list except the tab. */
  readonly tabs: readonly TabCount[];
}

/**
 * Returns the statement that adds up the bills of a list and counts the bills of all tabs, by reading each bill once. It reads none if
 * `found` is more than `most`.
 * @param within the list, or the list without the conditions of its tab
 */
export function summaryStatement({ filter }: BillSelection, within: BillSelection, most = SUMMED_MAX) {
  const { values, types, param } = parameters();
  const inTabSql = (of: TabFilter) => ['true', ...tabConditions(of, param), ...lastFailedCondition(of)].join(' AND ');
  const counts = BILL_TABS.map((tab) => `(count(*) FILTER (WHERE ${inTabSql(inTab(filter, tab))}))::int`);
  const sum = (value: string) => `coalesce(sum(${value}) FILTER (WHERE b.listed), 0)::bigint`;
  const sql = `WITH ${collect(within, param, { most })}
    SELECT (SELECT found FROM size) AS found, ARRAY[${counts.join(', ')}] AS tabs, (count(*) FILTER (WHERE b.listed))::int AS count,
      ${sum('b.amount')} AS amount, ${sum('b.paid_amount')} AS paid,
      ${sum('CASE WHEN b.closed_at IS NULL THEN greatest(b.amount - b.paid_amount, 0) END')} AS outstanding
    FROM (SELECT b.*, ${inTabSql(filter)} AS listed FROM ${collectedBills(most)} WHERE ${conditions(within, param)}) b`;
  const columns = { found: int4, tabs: array(int4), count: int4, amount: int8, paid: int8, outstanding: int8 };
  return { values, statement: variant({ name: 'add up a list and its tabs', text: sql, parameters: types, columns }) };
}

/**
 * Returns the statement that counts the bills of each tab when nothing else is filtered. `counts` has two numbers for each tab: how many rows
 * its index found, at most one more than `most`, and how many of their bills are in the tab.
 */
export function tabsStatement(selection: BillSelection, most = COUNTED_MAX) {
  const { values, types, param } = parameters();
  const tabs = BILL_TABS.map((tab) => {
    const selected = { ...selection, filter: inTab(selection.filter, tab) };
    return `(SELECT count(*)::int AS read, count(DISTINCT b.id)::int AS listed
      FROM (SELECT id FROM (${candidates(selected, param)}) candidate LIMIT ${most + 1}) wanted
      LEFT JOIN LATERAL (SELECT b.id FROM ${billById('wanted.id')} WHERE ${conditions(selected, param)}) b ON true) ${tab}_tab`;
  });
  const text = `SELECT ARRAY[${BILL_TABS.map((tab) => `${tab}_tab.read, ${tab}_tab.listed`).join(', ')}] AS counts FROM ${tabs.join(', ')}`;
  return { values, statement: variant({ name: 'count the bills of each tab', text, parameters: types, columns: { counts: array(int4) } }) };
}

interface SummaryLimits {
  readonly summed?: number | undefined;
  readonly counted?: number | undefined;
}

/** Adds up a list and counts the bills of its tabs. If there are too many bills, only what their indexes tell quickly is known. */
export async function summarize(
  db: Queryable,
  selection: BillSelection,
  { summed = SUMMED_MAX, counted = COUNTED_MAX }: SummaryLimits,
): Promise<ListSummary> {
  const withoutTab = { ...selection, filter: inTab(selection.filter, 'all') };
  const around = await readSummary(db, selection, withoutTab, summed);
  if (around) return around;
  const own = tabOf(selection.filter);
  const totals = own === 'all' ? null : ((await readSummary(db, selection, selection, summed))?.totals ?? null);
  const counts = isUnfiltered({ ...withoutTab.filter, checks: false }) ? await countTabs(db, withoutTab, counted) : [];
  const tabs = BILL_TABS.map((tab, index) => {
    if (tab === own && totals) return { tab, count: totals.count, more: false };
    return { tab, count: Math.min(counts[2 * index + 1] ?? 0, counted), more: (counts[2 * index] ?? counted + 1) > counted };
  });
  return { totals, tabs };
}

async function readSummary(db: Queryable, selection: BillSelection, within: BillSelection, most: number): Promise<ListSummary | null> {
  if (!hasIndex(within.filter)) return null;
  const { statement, values } = summaryStatement(selection, within, most);
  const row = await statement.first(db, values);
  if (!row || row.found > most) return null;
  const { found: _, tabs: counts, ...totals } = row;
  return { totals, tabs: BILL_TABS.map((tab, index) => ({ tab, count: counts[index] ?? 0, more: false })) };
}

async function countTabs(db: Queryable, selection: BillSelection, most: number): Promise<readonly number[]> {
  const { statement, values } = tabsStatement(selection, most);
  return (await statement.first(db, values))?.counts ?? [];
}

/** What the list reads of each bill, with its newest attempt. */
const LISTED = {
  ...BILL,
  customerName: true,
  description: true,
  dueAt: true,
  attempts: {
    select: { state: true, failureReason: true, mobile: true, createdAt: true, unknownSince: true, settledAt: true },
    orderBy: { id: 'desc' },
    take: 1,
  },
} as const satisfies Prisma.BillSelect;

export type ListedBill = Prisma.BillGetPayload<{ select: typeof LISTED }>;

/** Returns the bills of a list in the order of the list. `ids` may also have bills that the member may not see. They are left out. */
export async function findListed({ prisma }: Connection, visible: VisibleBills, ids: readonly string[]): Promise<ListedBill[]> {
  return sortAs(ids, await prisma.bill.findMany({ where: visibleOf(visible, ids), select: LISTED }));
}

type VisibleBills = Pick<BillSelection, 'scope' | 'billsOf'>;

/** Returns the condition for those of the bills that a member may see. */
export function visibleOf({ scope: { merchantId, environment }, billsOf }: VisibleBills, ids: readonly string[]): Prisma.BillWhereInput {
  return { id: { in: [...ids] }, merchantId, environment, ...(billsOf !== null && { createdById: billsOf }) };
}

/** Sorts rows into the order of their ids. */
export function sortAs<Row extends { readonly id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id.toLowerCase()) ?? []);
}
