import { BILL_STATUSES, type BillStatus } from '@/lib/bills/rules';
import { billStatus } from '@/lib/bills/sql-types';
import { overpaidSql } from '@/lib/bills/store';
import { MINUTE_MS } from '@/lib/core/clock';
import { lowestId } from '@/lib/core/ids';
import { environment, int8, text, uuid } from '@/lib/db/sql-types';
import { ANY_VALUES, type BillSelection, type Param, periodCondition } from './listing-sql';
import type { SortKey } from './page-cursor';

/**
 * An index scan that finds all bills of a filter, and possibly others. The conditions in listing-sql.ts remove the others. If the index has
 * the order of the list, a page can be read without sorting.
 */
export interface IndexScan {
  readonly ordered: SortKey | null;
  /**
   * SQL that returns `id`, and also `key` if the scan is ordered by another value than the id. Only the scan that merges an ordered list
   * for each status uses `direction`.
   */
  readonly sql: (param: Param, direction?: 'ASC' | 'DESC') => string;
  /** True if the scan can return the same bill more than once. */
  readonly repeats: boolean;
}

/**
 * How much a range of ids is extended beyond its period. An id contains the time at which the id was created, and the `created_at` of the
 * bill may differ slightly.
 */
const ID_SLACK_MS = MINUTE_MS;

/**
 * Two kinds of period do not select bills by an instant of the bill itself. `received` selects by the time of a payment, and `ended` by the
 * end of an attempt. Each has the table and the column of this time.
 */
const EVENTS = {
  received: { table: 'payment_allocation', column: 'created_at' },
  ended: { table: 'push_attempt', column: 'settled_at' },
} as const;

function idRange({ filter, period }: BillSelection, column: string, param: Param): string {
  // A due date says nothing about the id, because it may be before or after the creation of the bill.
  if (filter.by === 'due') return '';
  // A bill that was paid in the period was created before the end of the period, but possibly before its start.
  const from =
    filter.by === 'created' && period.from !== null
      ? ` AND ${column} >= ${param(uuid, lowestId(period.from.getTime() - ID_SLACK_MS))}`
      : '';
  return period.until === null ? from : `${from} AND ${column} < ${param(uuid, lowestId(period.until.getTime() + ID_SLACK_MS))}`;
}

/** Returns the possible index scans. The last one finds all bills of the scope. */
export function indexScans(selection: BillSelection): IndexScan[] {
  const { scope, filter, period, exact = ANY_VALUES } = selection;
  const { statuses, closed, by, least, most, network, reference, mobile, failed, reason, unknown, overpaid, lastFailed } = filter;
  const inScope = (param: Param) =>
    `merchant_id = ${param(uuid, scope.merchantId)} AND environment = ${param(environment, scope.environment)}`;
  const billSql =
    (condition: (param: Param) => string, key = ''): IndexScan['sql'] =>
    (param) =>
      `SELECT id${key} FROM bill WHERE ${inScope(param)}${idRange(selection, 'id', param)}${condition(param)}`;
  const billScan = (ordered: SortKey | null, condition: (param: Param) => string, key = ''): IndexScan => {
    return { ordered, sql: billSql(condition, key), repeats: false };
  };
  const attemptScan = (ordered: SortKey | null, condition: (param: Param) => string): IndexScan => {
    const from = (param: Param) => `push_attempt WHERE ${inScope(param)}${idRange(selection, 'bill_id', param)}`;
    return { ordered, sql: (param) => `SELECT bill_id AS id FROM ${from(param)}${condition(param)}`, repeats: true };
  };
  const scans: IndexScan[] = [];
  if (unknown) scans.push(attemptScan('created', () => " AND state = 'UNKNOWN'"));
  // With `received`, the network of the payment counts. If an operator allocated the payment, its attempt may belong to another bill, so a
  // scan of the bills' own attempts would miss bills.
  if (network !== null && by !== 'received')
    scans.push(attemptScan('created', (param) => ` AND network = ${param<string>(text, network)}`));
  // No index contains the failure reason. The conditions in listing-sql.ts remove the attempts that failed for another reason.
  if (failed || lastFailed || reason !== null) scans.push(attemptScan('created', () => " AND state IN ('FAILED', 'EXPIRED')"));
  if (overpaid) scans.push(billScan('created', () => ` AND ${overpaidSql()}`));
  if (closed === true) scans.push(billScan('created', () => ' AND closed_at IS NOT NULL'));
  // Uses the index for the prompt limits, which starts with the number and does not contain the merchant.
  if (mobile !== null) scans.push(attemptScan(null, (param) => ` AND mobile = ${param<string>(text, mobile)}`));
  if (reference !== null) {
    const pattern = `${reference.replace(/[\\%_]/g, '\\$&')}%`;
    scans.push(billScan(null, (param) => ` AND reference LIKE ${param(text, pattern)}`));
  }
  const { reference: exactReference, mobile: exactMobile } = exact;
  if (exactReference !== null) scans.push(billScan('created', (param) => ` AND reference = ${param(text, exactReference)}`));
  if (exactMobile !== null) scans.push(billScan('created', (param) => ` AND mobile = ${param<string>(text, exactMobile)}`));
  if (by === 'paid') {
    const paid = (param: Param) => ` AND paid_at IS NOT NULL${periodCondition('paid_at', period, param)}`;
    scans.push(billScan('paid', paid, ', paid_at AS key'));
  }
  if (by === 'received' || by === 'ended') {
    const { table, column } = EVENTS[by];
    const inPeriod = (param: Param) => `${inScope(param)} AND ${column} IS NOT NULL${periodCondition(column, period, param)}`;
    scans.push({ ordered: null, sql: (param) => `SELECT bill_id AS id FROM ${table} WHERE ${inPeriod(param)}`, repeats: true });
  }
  if (by === 'due' && closed === false && statuses.length > 0 && !statuses.includes('FULLY_PAID')) {
    const due = (param: Param) =>
      ` AND due_at IS NOT NULL AND status <> 'FULLY_PAID' AND closed_at IS NULL${periodCondition('due_at', period, param)}`;
    scans.push(billScan(null, due));
  }
  const amountRange = (param: Param) =>
    `${least === null ? '' : ` AND amount >= ${param(int8, least)}`}${most === null ? '' : ` AND amount <= ${param(int8, most)}`}`;
  scans.push(billScan('amount', amountRange, ', amount AS key'));
  const { billsOf } = scope;
  if (billsOf !== null) scans.push(billScan('created', (param) => ` AND created_by_id = ${param(uuid, billsOf)}`));
  // Within one status, the index is in the order of the ids. PostgreSQL merges the lists of several statuses.
  const ofStatus = (status: BillStatus) => billSql((param) => ` AND status = ${param(billStatus, status)}`);
  const wanted = statuses.length === 0 ? BILL_STATUSES : statuses;
  const sql: IndexScan['sql'] = (param, direction = 'ASC') =>
    wanted.map((status) => `(${ofStatus(status)(param)} ORDER BY id ${direction})`).join(' UNION ALL ');
  return [...scans, { ordered: 'created', sql, repeats: false }];
}
