import { BILL_COLUMNS, BILL_TYPES } from '@/lib/bills/store';
import { array, int4, int8, timestamptz, uuid } from '@/lib/db/sql-types';
import { variant } from '@/lib/db/statement';
import { conditions, type Listed, type Param, parameters } from './listing-sql';
import type { Way } from './listing-ways';
import type { PageCursor, SortKey } from './page-cursor';

/** How the bills of a list are read. */
export interface Plan {
  readonly way: Way;
  /** Whether all bills of the scan are fetched and sorted. Otherwise a page is read in the order of the index. */
  readonly few: boolean;
  /** Whether the scan finds exactly the bills of the list. */
  readonly whole: boolean;
  /** Whether the scan finds few enough bills to count them. */
  readonly countable: boolean;
}

/** Returns the statement that counts the bills of each scan, up to one more than the limit. */
export function countsOf(ways: readonly Way[], upTo: number) {
  const { values, types, param } = parameters();
  const counts = ways.map((way) => `(SELECT count(*)::int FROM (SELECT 1 FROM (${way.sql(param)}) found LIMIT ${upTo + 1}) counted)`);
  const text = `SELECT ARRAY[${counts.join(', ')}] AS counts`;
  return { values, statement: variant({ name: 'count the bills of ways', text, parameters: types, columns: { counts: array(int4) } }) };
}

export interface Page {
  readonly key: SortKey;
  readonly descending: boolean;
  readonly cursor: PageCursor | null;
  readonly limit: number;
}

const COLUMNS: Readonly<Record<SortKey, string | null>> = { created: null, paid: 'paid_at', amount: 'amount' };

/** Returns the statement that reads a page. */
export function pageOf(listed: Listed, plan: Plan, page: Page) {
  const { values, types, param } = parameters();
  const descending = page.descending !== (page.cursor?.way === 'before');
  const direction = descending ? 'DESC' : 'ASC';
  const column = COLUMNS[page.key];
  const order = (alias: string, name: string | null) => `${name === null ? '' : `${alias}.${name} ${direction}, `}${alias}.id ${direction}`;
  const beyond = (alias: string, name: string | null) => placeCondition(page, alias, name, descending, param);
  const bill = (rest: string) =>
    `CROSS JOIN LATERAL (SELECT * FROM bill b WHERE b.id = way.id AND ${conditions(listed, param)}${rest} LIMIT 1) b`;
  const way = plan.way.sql(param, direction);
  const sql = plan.few
    ? `SELECT ${BILL_COLUMNS} FROM (SELECT DISTINCT id FROM (${way}) found) way ${bill(beyond('b', column))}
       ORDER BY ${order('b', column)} LIMIT ${param(int4, page.limit)}::int`
    : `SELECT ${BILL_COLUMNS} FROM (
         SELECT ${plan.way.repeats ? 'DISTINCT ' : ''}id${column === null ? '' : ', key'} FROM (${way}) found WHERE true${beyond('found', column && 'key')}
         ORDER BY ${order('found', column && 'key')}) way ${bill('')}
       ORDER BY ${order('way', column && 'key')} LIMIT ${param(int4, page.limit)}::int`;
  return { values, statement: variant({ name: 'list bills', text: sql, parameters: types, columns: BILL_TYPES }) };
}

/** Returns the statement that counts the bills of a list. */
export function countOf(listed: Listed, plan: Plan) {
  const { values, types, param } = parameters();
  const way = `(SELECT DISTINCT id FROM (${plan.way.sql(param)}) found) way`;
  const lookUp = plan.whole
    ? ''
    : ` CROSS JOIN LATERAL (SELECT true FROM bill b WHERE b.id = way.id AND ${conditions(listed, param)} LIMIT 1) b`;
  const sql = `SELECT count(*)::int AS count FROM ${way}${lookUp}`;
  return { values, statement: variant({ name: 'count bills', text: sql, parameters: types, columns: { count: int4 } }) };
}

function placeCondition({ key, cursor }: Page, alias: string, name: string | null, descending: boolean, param: Param): string {
  if (cursor === null) return '';
  const { id, value } = cursor.place;
  const sign = descending ? '<' : '>';
  if (name === null) return ` AND ${alias}.id ${sign} ${param(uuid, id)}`;
  return ` AND (${alias}.${name}, ${alias}.id) ${sign} (${key === 'paid' ? param(timestamptz, new Date(Number(value))) : param(int8, value)}, ${param(uuid, id)})`;
}
