import { BILL_COLUMNS, BILL_TYPES, billById, INFO_COLUMNS, INFO_TYPES } from '@/lib/bills/store';
import { array, int4, int8, timestamptz, uuid } from '@/lib/db/sql-types';
import { variant } from '@/lib/db/statement';
import type { IndexScan } from './index-scans';
import { type BillSelection, conditions, type Param, parameters } from './listing-sql';
import type { PageCursor, SortKey } from './page-cursor';

export interface Plan {
  readonly scan: IndexScan;
  /** Whether all bills of the scan are fetched and sorted. Otherwise a page is read in the order of the index. */
  readonly sortAll: boolean;
  /**
   * True only if the scan finds exactly the bills of the list. Bills that Bili created to check a merchant's webhook receiver are an
   * exception: the scan may find them too.
   */
  readonly exact: boolean;
  /** Whether the scan finds few enough bills to count them and add them up. */
  readonly countable: boolean;
}

/** Returns the statement that counts the bills of each scan, up to one more than the limit. */
export function scanCountsStatement(scans: readonly IndexScan[], upTo: number) {
  const { values, types, param } = parameters();
  const counts = scans.map((scan) => `(SELECT count(*)::int FROM (SELECT 1 FROM (${scan.sql(param)}) found LIMIT ${upTo + 1}) counted)`);
  const text = `SELECT ARRAY[${counts.join(', ')}] AS counts`;
  return {
    values,
    statement: variant({ name: 'count the bills of index scans', text, parameters: types, columns: { counts: array(int4) } }),
  };
}

export interface Page {
  readonly key: SortKey;
  readonly descending: boolean;
  readonly cursor: PageCursor | null;
  readonly limit: number;
  /** Maximum number of bills of the index scan that are read to find those of the page. Absent: as many as needed. */
  readonly readMax?: number;
}

const COLUMNS: Readonly<Record<SortKey, string | null>> = { created: null, paid: 'paid_at', amount: 'amount' };

export function pageStatement(selection: BillSelection, plan: Plan, page: Page) {
  const { values, types, param } = parameters();
  const descending = page.descending !== (page.cursor?.side === 'before');
  const direction = descending ? 'DESC' : 'ASC';
  const column = COLUMNS[page.key];
  const order = (alias: string, name: string | null) => `${name === null ? '' : `${alias}.${name} ${direction}, `}${alias}.id ${direction}`;
  const beyond = (alias: string, name: string | null) => cursorCondition(page, alias, name, descending, param);
  const bill = (rest: string) =>
    `CROSS JOIN LATERAL (SELECT * FROM ${billById('scan.id')} WHERE ${conditions(selection, param)}${rest} LIMIT 1) b`;
  const scan = plan.scan.sql(param, direction);
  const sql = plan.sortAll
    ? `SELECT ${BILL_COLUMNS}, ${INFO_COLUMNS} FROM (SELECT DISTINCT id FROM (${scan}) found) scan ${bill(beyond('b', column))}
       ORDER BY ${order('b', column)} LIMIT ${param(int4, page.limit)}::int`
    : `SELECT ${BILL_COLUMNS}, ${INFO_COLUMNS} FROM (
         SELECT ${plan.scan.repeats ? 'DISTINCT ' : ''}id${column === null ? '' : ', key'} FROM (${scan}) found WHERE true${beyond('found', column && 'key')}
         ORDER BY ${order('found', column && 'key')}${page.readMax === undefined ? '' : ` LIMIT ${param(int4, page.readMax)}::int`}) scan ${bill('')}
       ORDER BY ${order('scan', column && 'key')} LIMIT ${param(int4, page.limit)}::int`;
  return { values, statement: variant({ name: 'list bills', text: sql, parameters: types, columns: { ...BILL_TYPES, ...INFO_TYPES } }) };
}

/** Returns the statement that finds the last bill that a page with `readMax` read, in a scan in the order of the ids. */
export function readEndStatement({ scan }: Plan, page: Page) {
  const { values, types, param } = parameters();
  const direction = page.descending ? 'DESC' : 'ASC';
  const sql = `SELECT found.id FROM (${scan.sql(param, direction)}) found WHERE true${cursorCondition(page, 'found', null, page.descending, param)}
    ORDER BY found.id ${direction} LIMIT 1 OFFSET ${param(int4, (page.readMax ?? 1) - 1)}::int`;
  return { values, statement: variant({ name: 'find the end of a read', text: sql, parameters: types, columns: { id: uuid } }) };
}

function cursorCondition({ key, cursor }: Page, alias: string, name: string | null, descending: boolean, param: Param): string {
  if (cursor === null) return '';
  const { id, value } = cursor.position;
  const sign = descending ? '<' : '>';
  if (name === null) return ` AND ${alias}.id ${sign} ${param(uuid, id)}`;
  return ` AND (${alias}.${name}, ${alias}.id) ${sign} (${key === 'paid' ? param(timestamptz, new Date(Number(value))) : param(int8, value)}, ${param(uuid, id)})`;
}
