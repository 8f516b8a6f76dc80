import { BILL_STATUSES, type BillStatus } from '@/lib/bills/rules';
import { billStatus } from '@/lib/bills/sql-types';
import { overpaidSql } from '@/lib/bills/store';
import { MINUTE_MS } from '@/lib/core/clock';
import { lowestId } from '@/lib/core/ids';
import { environment, int8, text, uuid } from '@/lib/db/sql-types';
import { type BillSelection, type Param, periodCondition } from './listing-sql';
import type { SortKey } from './page-cursor';

/**
 * An index scan that finds all bills of a filter, and possibly others. The conditions in listing-sql.ts remove the others. If its index has
 * the order of the list, a page can be read without sorting.
 */
export interface IndexScan {
  readonly ordered: SortKey | null;
  /** SQL that returns `id`, and `key` if the order is not that of the ids. `direction` is for a scan that joins several ordered lists. */
  readonly sql: (param: Param, direction?: 'ASC' | 'DESC') => string;
  /** Whether the scan may return a bill more than once. */
  readonly repeats: boolean;
}

/** An id contains the millisecond of its creation. The `created_at` of the bill may differ by a moment. */
const ID_SLACK_MS = MINUTE_MS;

function idRange({ filter, period }: BillSelection, column: string, param: Param): string {
  // A bill that was paid in the period was created before the end of the period, but possibly before its start.
  const from =
    filter.by === 'created' && period.from !== null
      ? ` AND ${column} >= ${param(uuid, lowestId(period.from.getTime() - ID_SLACK_MS))}`
      : '';
  return period.until === null ? from : `${from} AND ${column} < ${param(uuid, lowestId(period.until.getTime() + ID_SLACK_MS))}`;
}

/** Returns the possible index scans. The last one finds all bills of the scope. */
export function indexScans(selection: BillSelection): IndexScan[] {
  const { scope, filter, period } = selection;
  const { statuses, closed, by, least, most, network, reference, mobile, failed, unknown, overpaid } = filter;
  const inScope = (param: Param) =>
    `merchant_id = ${param(uuid, scope.merchantId)} AND environment = ${param(environment, scope.environment)}`;
  const billScan =
    (condition: (param: Param) => string, key = ''): IndexScan['sql'] =>
    (param) =>
      `SELECT id${key} FROM bill WHERE ${inScope(param)}${idRange(selection, 'id', param)}${condition(param)}`;
  const attemptScan =
    (condition: (param: Param) => string): IndexScan['sql'] =>
    (param) =>
      `SELECT bill_id AS id FROM push_attempt WHERE ${inScope(param)}${idRange(selection, 'bill_id', param)}${condition(param)}`;
  const scans: IndexScan[] = [];
  const add = (ordered: SortKey | null, sql: IndexScan['sql'], repeats = false) => scans.push({ ordered, sql, repeats });
  if (unknown)
    add(
      'created',
      attemptScan(() => " AND state = 'UNKNOWN'"),
      true,
    );
  if (network !== null)
    add(
      'created',
      attemptScan((param) => ` AND network = ${param<string>(text, network)}`),
      true,
    );
  if (failed)
    add(
      'created',
      attemptScan(() => " AND state IN ('FAILED', 'EXPIRED')"),
      true,
    );
  if (overpaid)
    add(
      'created',
      billScan(() => ` AND ${overpaidSql()}`),
    );
  if (closed === true)
    add(
      'created',
      billScan(() => ' AND closed_at IS NOT NULL'),
    );
  if (mobile !== null) {
    // Uses the index for the prompt limits, which starts with the number and does not contain the merchant.
    add(
      null,
      attemptScan((param) => ` AND mobile = ${param<string>(text, mobile)}`),
      true,
    );
  }
  if (reference !== null)
    add(
      null,
      billScan((param) => ` AND reference LIKE ${param(text, `${reference.replace(/[\\%_]/g, '\\$&')}%`)}`),
    );
  if (by === 'paid')
    add(
      'paid',
      billScan((param) => ` AND paid_at IS NOT NULL${periodCondition('paid_at', period, param)}`, ', paid_at AS key'),
    );
  const amountRange = (param: Param) =>
    `${least === null ? '' : ` AND amount >= ${param(int8, least)}`}${most === null ? '' : ` AND amount <= ${param(int8, most)}`}`;
  add('amount', billScan(amountRange, ', amount AS key'));
  const { billsOf } = scope;
  if (billsOf !== null)
    add(
      'created',
      billScan((param) => ` AND created_by_id = ${param(uuid, billsOf)}`),
    );
  // Within one status, the index is in the order of the ids. PostgreSQL merges the lists of several statuses.
  const ofStatus = (status: BillStatus) => billScan((param) => ` AND status = ${param(billStatus, status)}`);
  const wanted = statuses.length === 0 ? BILL_STATUSES : statuses;
  add('created', (param, direction = 'ASC') =>
    wanted.map((status) => `(${ofStatus(status)(param)} ORDER BY id ${direction})`).join(' UNION ALL '),
  );
  return scans;
}
