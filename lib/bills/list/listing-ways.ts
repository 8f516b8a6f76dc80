import { BILL_STATUSES, type BillStatus } from '@/lib/bills/rules';
import { billStatus } from '@/lib/bills/sql-types';
import { overpaidSql } from '@/lib/bills/store';
import { MINUTE_MS } from '@/lib/core/clock';
import { lowestId } from '@/lib/core/ids';
import { environment, int8, text, uuid } from '@/lib/db/sql-types';
import { between, type Listed, type Param } from './listing-sql';
import type { SortKey } from './page-cursor';

/**
 * A way to the bills of a filter by an index. It finds all of them, and others too: the conditions decide. Some have theirs in
 * an order of the list, so that a page can be read off them.
 */
export interface Way {
  readonly ordered: SortKey | null;
  /** SQL for `id`, and `key` where the order is not that of the ids. @param direction for a way of several lists, to be read as one. */
  readonly sql: (param: Param, direction?: 'ASC' | 'DESC') => string;
  /** Whether a bill may be found more than once. */
  readonly repeats: boolean;
}

/** An id has the millisecond of its making in front; its bill's time may be of a moment before or after. */
const ID_SLACK_MS = MINUTE_MS;

function idRange({ filter, period }: Listed, column: string, param: Param): string {
  // What is paid in a period was made before its end.
  const from =
    filter.by === 'created' && period.from !== null
      ? ` AND ${column} >= ${param(uuid, lowestId(period.from.getTime() - ID_SLACK_MS))}`
      : '';
  return period.until === null ? from : `${from} AND ${column} < ${param(uuid, lowestId(period.until.getTime() + ID_SLACK_MS))}`;
}

/** @returns the ways to a filter's bills; the last leads to all that the scope has. */
export function waysTo(listed: Listed): Way[] {
  const { scope, filter, period } = listed;
  const { statuses, closed, by, least, most, network, reference, mobile, failed, unknown, overpaid } = filter;
  const within = (param: Param) =>
    `merchant_id = ${param(uuid, scope.merchantId)} AND environment = ${param(environment, scope.environment)}`;
  const bills =
    (rest: (param: Param) => string, key = ''): Way['sql'] =>
    (param) =>
      `SELECT id${key} FROM bill WHERE ${within(param)}${idRange(listed, 'id', param)}${rest(param)}`;
  const attempts =
    (rest: (param: Param) => string): Way['sql'] =>
    (param) =>
      `SELECT bill_id AS id FROM push_attempt WHERE ${within(param)}${idRange(listed, 'bill_id', param)}${rest(param)}`;
  const ways: Way[] = [];
  const add = (ordered: SortKey | null, sql: Way['sql'], repeats = false) => ways.push({ ordered, sql, repeats });
  if (unknown)
    add(
      'created',
      attempts(() => " AND state = 'UNKNOWN'"),
      true,
    );
  if (network !== null)
    add(
      'created',
      attempts((param) => ` AND network = ${param<string>(text, network)}`),
      true,
    );
  if (failed)
    add(
      'created',
      attempts(() => " AND state IN ('FAILED', 'EXPIRED')"),
      true,
    );
  if (overpaid)
    add(
      'created',
      bills(() => ` AND ${overpaidSql()}`),
    );
  if (closed === true)
    add(
      'created',
      bills(() => ' AND closed_at IS NOT NULL'),
    );
  if (mobile !== null) {
    // By the index that prompts are limited by, which is about numbers and knows no merchants.
    add(
      null,
      attempts((param) => ` AND mobile = ${param<string>(text, mobile)}`),
      true,
    );
  }
  if (reference !== null)
    add(
      null,
      bills((param) => ` AND reference LIKE ${param(text, `${reference.replace(/[\\%_]/g, '\\$&')}%`)}`),
    );
  if (by === 'paid')
    add(
      'paid',
      bills((param) => ` AND paid_at IS NOT NULL${between('paid_at', period, param)}`, ', paid_at AS key'),
    );
  const amounts = (param: Param) =>
    `${least === null ? '' : ` AND amount >= ${param(int8, least)}`}${most === null ? '' : ` AND amount <= ${param(int8, most)}`}`;
  add('amount', bills(amounts, ', amount AS key'));
  const { billsOf } = scope;
  if (billsOf !== null)
    add(
      'created',
      bills((param) => ` AND created_by_id = ${param(uuid, billsOf)}`),
    );
  // Each status has its bills in the order of their ids: the database reads several as one list.
  const ofStatus = (status: BillStatus) => bills((param) => ` AND status = ${param(billStatus, status)}`);
  const wanted = statuses.length === 0 ? BILL_STATUSES : statuses;
  add('created', (param, direction = 'ASC') =>
    wanted.map((status) => `(${ofStatus(status)(param)} ORDER BY id ${direction})`).join(' UNION ALL '),
  );
  return ways;
}
