import { billStatus } from '@/lib/bills/sql-types';
import { overpaidSql } from '@/lib/bills/store';
import type { Environment } from '@/lib/core/scope';
import { array, environment, int8, type SqlType, text, timestamptz, uuid } from '@/lib/db/sql-types';
import type { BillFilter } from './filter';
import type { InstantRange } from './period';

/** The bills that a list may contain: all of a merchant in one environment, or only those that one member created. */
export interface ListScope {
  readonly merchantId: string;
  readonly environment: Environment;
  /** The member who created the bills; null for all. */
  readonly billsOf: string | null;
}

/** A filter with its scope, and its period as instants. */
export interface BillSelection {
  readonly scope: ListScope;
  readonly filter: BillFilter;
  readonly period: InstantRange;
}

/** Adds a parameter to a statement. Returns its placeholder. */
export type Param = <Value>(type: SqlType<Value>, value: Value) => string;

interface Collected {
  readonly param: Param;
  /** The types and values of the parameters, by name. */
  readonly types: Readonly<Record<string, SqlType<unknown>>>;
  readonly values: Readonly<Record<string, unknown>>;
}

export function parameters(): Collected {
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

export function periodCondition(column: string, { from, until }: InstantRange, param: Param): string {
  return `${from === null ? '' : ` AND ${column} >= ${param(timestamptz, from)}`}${until === null ? '' : ` AND ${column} < ${param(timestamptz, until)}`}`;
}

/** Returns the complete condition for a bill `b`. Every index scan needs it, because a scan may also find bills that do not match. */
export function conditions({ scope, filter, period }: BillSelection, param: Param): string {
  const { statuses, closed, by, least, most, network, reference, mobile, failed, unknown, overpaid } = filter;
  // PostgreSQL evaluates a scalar subquery once for each bill. It may turn EXISTS into a join that reads every attempt. The merchant is
  // repeated because every useful index starts with it.
  const hasAttempt = (what: string) =>
    `(SELECT true FROM push_attempt a WHERE a.bill_id = b.id AND a.merchant_id = b.merchant_id AND a.environment = b.environment AND ${what} LIMIT 1)`;
  return [
    `b.merchant_id = ${param(uuid, scope.merchantId)}`,
    `b.environment = ${param(environment, scope.environment)}`,
    ...(scope.billsOf === null ? [] : [`b.created_by_id = ${param(uuid, scope.billsOf)}`]),
    ...(statuses.length === 0 ? [] : [`b.status = ANY (${param(array(billStatus), statuses)}::bill_status[])`]),
    ...(closed === null ? [] : [`b.closed_at IS ${closed ? 'NOT ' : ''}NULL`]),
    ...(least === null ? [] : [`b.amount >= ${param(int8, least)}`]),
    ...(most === null ? [] : [`b.amount <= ${param(int8, most)}`]),
    ...(reference === null ? [] : [`starts_with(b.reference, ${param(text, reference)})`]),
    ...(mobile === null ? [] : [hasAttempt(`a.mobile = ${param<string>(text, mobile)}`)]),
    ...(network === null ? [] : [hasAttempt(`a.network = ${param<string>(text, network)}`)]),
    ...(failed ? [hasAttempt("a.state IN ('FAILED', 'EXPIRED')")] : []),
    ...(unknown ? [hasAttempt("a.state = 'UNKNOWN'")] : []),
    ...(overpaid ? [overpaidSql('b.')] : []),
    `true${periodCondition(by === 'paid' ? 'b.paid_at' : 'b.created_at', period, param)}`,
  ].join(' AND ');
}

/**
 * Returns whether the filter has at most one condition, and an index scan finds exactly its bills. A period is excluded because ids give
 * only the approximate time of creation.
 */
export function isExactScan({ scope, filter }: BillSelection): boolean {
  const { statuses, closed, period, least, most, network, reference, mobile, failed, unknown, overpaid } = filter;
  const flags = [failed || null, unknown || null, overpaid || null];
  const asked = [scope.billsOf, network, reference, mobile, least ?? most, statuses[0] ?? null, closed, ...flags];
  return period === null && closed !== false && asked.filter((one) => one !== null).length <= 1;
}
