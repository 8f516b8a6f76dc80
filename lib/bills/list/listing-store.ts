import type { Bill } from '@/lib/bills/rules';
import { BILL_COLUMNS } from '@/lib/bills/store';
import type { Database, Queryable } from '@/lib/db/database';
import { LIMITS } from './listing-limits';
import { conditions, isOneWay, type Listed, type ListScope, type Param, parameters } from './listing-sql';
import { type Way, waysTo } from './listing-ways';
import type { PageCursor, SortKey } from './page-cursor';

/** How a list's bills are come by. */
export interface Plan {
  readonly way: Way;
  /** Few enough to fetch all of them and sort; else a page is read off the way's order. */
  readonly few: boolean;
  /** Whether the way finds the list's bills and no others. */
  readonly whole: boolean;
  /** Whether its bills are few enough to be counted. */
  readonly countable: boolean;
}

const settings = (pairs: Readonly<Record<string, string>>) =>
  `SELECT ${Object.entries(pairs)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}`;

/** Reads lists in one transaction, by indexes: the planner thinks of whole lists, and would read every bill there is for a page. */
export async function readListing<Value>(db: Database, work: (tx: Queryable) => Promise<Value>): Promise<Value> {
  return db.transaction(async (tx) => {
    await tx.query({
      text: settings({ transaction_read_only: 'on', enable_seqscan: 'off', max_parallel_workers_per_gather: '0', jit: 'off' }),
    });
    return work(tx);
  });
}

const IN_ORDER = settings({ enable_sort: 'off', enable_hashagg: 'off', enable_bitmapscan: 'off' });
const IN_ANY_ORDER = settings({ enable_sort: 'on', enable_hashagg: 'on', enable_bitmapscan: 'on' });

/**
 * Looks for the way to a list's bills that has the fewest, counting no further than is cheap. With few on some way, all of those
 * are fetched and sorted. With many on all, a page is read in order off the way with the rarest bills, so that a time when there
 * were none of them costs nothing.
 */
export async function planListing(tx: Queryable, listed: Listed, key: SortKey, limits = LIMITS): Promise<Plan> {
  const ways = waysTo(listed);
  const upTo = ways.length > 2 ? limits.compared : limits.gatheredUnordered;
  const { values, param } = parameters();
  const counts = ways.map((way) => `(SELECT count(*)::int FROM (SELECT 1 FROM (${way.sql(param)}) found LIMIT ${upTo + 1}) counted)`);
  const [row] = await tx.query<{ counts: number[] }>({ text: `SELECT ARRAY[${counts.join(', ')}] AS counts` }, values);
  const [rarest, ...others] = ways.map((way, index) => ({ way, count: row?.counts[index] ?? 0 })).sort((a, b) => a.count - b.count);
  const inOrder = [rarest, ...others].find((one) => one?.way.ordered === key);
  if (!rarest || !inOrder) throw new Error(`no way has the order of ${key}`);
  const most = rarest === inOrder ? limits.gathered : limits.gatheredUnordered;
  const countable = rarest.count <= most;
  const whole = isOneWay(listed);
  // In order and with no others among them, few bills need not be fetched either.
  if (!countable || (whole && rarest === inOrder)) return { way: inOrder.way, few: false, whole, countable };
  return { way: rarest.way, few: true, whole: false, countable };
}

/** Read in the order of the ids, whatever else is asked: for the few bills at an end of the list. */
export function newestPlan(listed: Listed): Plan {
  const way = waysTo(listed).findLast(({ ordered }) => ordered === 'created');
  if (!way) throw new Error('every list has a way in the order of its ids');
  return { way, few: false, whole: false, countable: false };
}

interface Page {
  readonly key: SortKey;
  readonly descending: boolean;
  readonly cursor: PageCursor | null;
  readonly limit: number;
}

const COLUMNS: Readonly<Record<SortKey, string | null>> = { created: null, paid: 'paid_at', amount: 'amount' };

/** @returns bills in the list's order, beginning at the cursor; what comes before a place, in the list's order as well. */
export async function listBillRows(tx: Queryable, listed: Listed, plan: Plan, page: Page): Promise<Bill[]> {
  const { values, param } = parameters();
  const backwards = page.cursor?.way === 'before';
  const descending = page.descending !== backwards;
  const direction = descending ? 'DESC' : 'ASC';
  const column = COLUMNS[page.key];
  const order = (alias: string, name: string | null) => `${name === null ? '' : `${alias}.${name} ${direction}, `}${alias}.id ${direction}`;
  const beyond = (alias: string, name: string | null) => placeCondition(page, alias, name, descending, param);
  const bill = (rest: string) =>
    `CROSS JOIN LATERAL (SELECT * FROM bill b WHERE b.id = way.id AND ${conditions(listed, param)}${rest} LIMIT 1) b`;
  const way = plan.way.sql(param, direction);
  const text = plan.few
    ? `SELECT ${BILL_COLUMNS} FROM (SELECT DISTINCT id FROM (${way}) found) way ${bill(beyond('b', column))}
       ORDER BY ${order('b', column)} LIMIT ${param(page.limit)}`
    : `SELECT ${BILL_COLUMNS} FROM (
         SELECT ${plan.way.repeats ? 'DISTINCT ' : ''}id${column === null ? '' : ', key'} FROM (${way}) found WHERE true${beyond('found', column && 'key')}
         ORDER BY ${order('found', column && 'key')}) way ${bill('')}
       ORDER BY ${order('way', column && 'key')} LIMIT ${param(page.limit)}`;
  await tx.query({ text: plan.few ? IN_ANY_ORDER : IN_ORDER });
  const rows = await tx.query<Bill>({ text }, values);
  return backwards ? rows.reverse() : rows;
}

/** @returns how many bills the list has, where there are few on its way. */
export async function countBillRows(tx: Queryable, listed: Listed, plan: Plan): Promise<number> {
  const { values, param } = parameters();
  const way = `(SELECT DISTINCT id FROM (${plan.way.sql(param)}) found) way`;
  const lookUp = plan.whole
    ? ''
    : ` CROSS JOIN LATERAL (SELECT true FROM bill b WHERE b.id = way.id AND ${conditions(listed, param)} LIMIT 1) b`;
  const [row] = await tx.query<{ count: number }>({ text: `SELECT count(*)::int AS count FROM ${way}${lookUp}` }, values);
  return row?.count ?? 0;
}

function placeCondition({ key, cursor }: Page, alias: string, name: string | null, descending: boolean, param: Param): string {
  if (cursor === null) return '';
  const { id, value } = cursor.place;
  const sign = descending ? '<' : '>';
  if (name === null) return ` AND ${alias}.id ${sign} ${param(id)}`;
  return ` AND (${alias}.${name}, ${alias}.id) ${sign} (${param(key === 'paid' ? new Date(Number(value)) : value)}, ${param(id)})`;
}

/** @returns those of some bills that the scope has, in no particular order. */
export async function findBillRows(
  tx: Queryable,
  { merchantId, environment, billsOf }: ListScope,
  ids: readonly string[],
): Promise<Bill[]> {
  return tx.query<Bill>(
    {
      text: `SELECT ${BILL_COLUMNS} FROM bill b WHERE b.id = ANY ($1::uuid[]) AND b.merchant_id = $2 AND b.environment = $3
             AND ($4::uuid IS NULL OR b.created_by_id = $4)`,
    },
    [ids, merchantId, environment, billsOf],
  );
}
