import { checkBillSql } from '@/lib/bills/check-bills';
import { billStatus } from '@/lib/bills/sql-types';
import { overpaidSql } from '@/lib/bills/store';
import type { Mobile } from '@/lib/core/mobile';
import type { Environment } from '@/lib/core/scope';
import { array, environment, int8, jsonb, type SqlType, text, timestamptz, uuid } from '@/lib/db/sql-types';
import type { TabFilter } from './bill-tabs';
import type { BillFilter, RequestReason } from './filter';
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
  /** Values that the bills must have exactly: the filters of the API. */
  readonly exact?: ExactValues;
}

/** Null for any value. */
interface ExactValues {
  readonly reference: string | null;
  /** The number of the bill itself. The filter `mobile` of the dashboard compares the numbers of its attempts. */
  readonly mobile: Mobile | null;
  /** The bills must have all of these pairs. */
  readonly metadata: Readonly<Record<string, string>> | null;
}

export const ANY_VALUES: ExactValues = { reference: null, mobile: null, metadata: null };

/** Adds a parameter to a statement. Returns its placeholder. */
export type Param = <Value>(type: SqlType<Value>, value: Value) => string;

const BILL_INSTANTS = { created: 'b.created_at', paid: 'b.paid_at', due: 'b.due_at' } as const;

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

/** Returns the condition for attempts `a` that ended in the period, on the network and for the reason of the filter. */
function endedAttempt({ filter: { by, network, failed, reason }, period }: BillSelection, param: Param): string {
  return [
    ...(network === null ? [] : [`a.network = ${param<string>(text, network)}`]),
    failed ? "a.state IN ('FAILED', 'EXPIRED')" : "a.state IN ('SUCCEEDED', 'FAILED', 'EXPIRED')",
    ...(reason === null ? [] : [reasonSql(reason, param)]),
    `true${by === 'ended' ? periodCondition('a.settled_at', period, param) : ''}`,
  ].join(' AND ');
}

function reasonSql(reason: RequestReason, param: Param): string {
  if (reason === 'no_answer') return "(a.state = 'EXPIRED' OR (a.state = 'FAILED' AND a.failure_reason = 'user_timeout'))";
  if (reason === 'none') return "a.state = 'FAILED' AND a.failure_reason IS NULL";
  return `a.state = 'FAILED' AND a.failure_reason = ${param<string>(text, reason)}`;
}

/** The network through which a payment `p` came. A payment that an operator recorded without an attempt has none. */
const PAID_THROUGH = "coalesce((SELECT t.network FROM push_attempt t WHERE t.id = p.attempt_id), 'other')";

/** Returns the SQL condition that a payment was allocated to bill `b` in the period. The payment must match the filter's network. */
function received({ filter: { network }, period }: BillSelection, param: Param): string {
  const through =
    network === null ? '' : ` AND (SELECT ${PAID_THROUGH} FROM payment p WHERE p.id = l.payment_id) = ${param<string>(text, network)}`;
  return `(SELECT true FROM payment_allocation l WHERE l.bill_id = b.id AND l.merchant_id = b.merchant_id AND l.environment = b.environment
    AND l.amount > 0${periodCondition('l.created_at', period, param)}${through} LIMIT 1)`;
}

/**
 * Returns whether a list leaves out the bills that checks of the webhook receiver created. Somebody who filters by the reference of such
 * bills wants to see them.
 */
function hidesChecks({ scope, filter }: BillSelection): boolean {
  return scope.environment === 'sandbox' && !filter.checks && !filter.reference?.startsWith('CHECK');
}

/** Returns the condition of a tab for a bill `b`. */
export function tabCondition({ statuses, closed, overpaid, lastFailed }: TabFilter, param: Param): string {
  // OFFSET 0 makes PostgreSQL read the attempts of the bill first. Otherwise it might search all attempts in the order of their ids.
  const lastState = `(SELECT a.state FROM (SELECT id, state FROM push_attempt WHERE bill_id = b.id OFFSET 0) a ORDER BY a.id DESC LIMIT 1)`;
  return [
    'true',
    ...(statuses.length === 0 ? [] : [`b.status = ANY (${param(array(billStatus), statuses)}::bill_status[])`]),
    ...(closed === null ? [] : [`b.closed_at IS ${closed ? 'NOT ' : ''}NULL`]),
    ...(overpaid ? [overpaidSql('b.')] : []),
    ...(lastFailed ? [`b.status <> 'FULLY_PAID' AND b.closed_at IS NULL AND ${lastState} IN ('FAILED', 'EXPIRED')`] : []),
  ].join(' AND ');
}

/** Returns the complete condition for a bill `b`. Every index scan needs it, because a scan may also find bills that do not match. */
export function conditions(selection: BillSelection, param: Param): string {
  const { scope, filter, period, exact = ANY_VALUES } = selection;
  const { by, least, most, network, reference, mobile, failed, reason, unknown } = filter;
  /** True if one and the same attempt must meet the conditions about network, failure and reason. */
  const oneAttempt = by === 'ended' || reason !== null;
  // PostgreSQL evaluates a scalar subquery once for each bill. It may turn EXISTS into a join that reads every attempt. The subquery
  // compares the merchant, too, because every useful index starts with it.
  const hasAttempt = (what: string) =>
    `(SELECT true FROM push_attempt a WHERE a.bill_id = b.id AND a.merchant_id = b.merchant_id AND a.environment = b.environment AND ${what} LIMIT 1)`;
  return [
    `b.merchant_id = ${param(uuid, scope.merchantId)}`,
    `b.environment = ${param(environment, scope.environment)}`,
    ...(scope.billsOf === null ? [] : [`b.created_by_id = ${param(uuid, scope.billsOf)}`]),
    tabCondition(filter, param),
    ...(hidesChecks(selection) ? [`NOT ${checkBillSql('b.')}`] : []),
    ...(least === null ? [] : [`b.amount >= ${param(int8, least)}`]),
    ...(most === null ? [] : [`b.amount <= ${param(int8, most)}`]),
    ...(reference === null ? [] : [`starts_with(b.reference, ${param(text, reference)})`]),
    ...(exact.reference === null ? [] : [`b.reference = ${param(text, exact.reference)}`]),
    ...(exact.mobile === null ? [] : [`b.mobile = ${param<string>(text, exact.mobile)}`]),
    ...(exact.metadata === null ? [] : [`b.metadata @> ${param(jsonb, exact.metadata)}::jsonb`]),
    ...(mobile === null ? [] : [hasAttempt(`a.mobile = ${param<string>(text, mobile)}`)]),
    ...(network === null || oneAttempt || by === 'received' ? [] : [hasAttempt(`a.network = ${param<string>(text, network)}`)]),
    ...(failed && !oneAttempt ? [hasAttempt("a.state IN ('FAILED', 'EXPIRED')")] : []),
    ...(oneAttempt ? [hasAttempt(endedAttempt(selection, param))] : []),
    ...(unknown ? [hasAttempt("a.state = 'UNKNOWN'")] : []),
    ...(by === 'received' ? [received(selection, param)] : []),
    `true${by === 'created' || by === 'paid' || by === 'due' ? periodCondition(BILL_INSTANTS[by], period, param) : ''}`,
  ].join(' AND ');
}

/**
 * Returns whether the filter has at most one condition, and an index scan finds exactly its bills. The scan may also find bills that checks
 * of the webhook receiver created. No scan is exact with a period, because ids give only the approximate time of creation.
 */
export function isExactScan({ scope, filter, exact = ANY_VALUES }: BillSelection): boolean {
  const { statuses, closed, period, least, most, network, reference, mobile, failed, reason, unknown, overpaid, lastFailed } = filter;
  const flags = [failed || null, unknown || null, overpaid || null];
  const asked = [
    scope.billsOf,
    network,
    reference,
    exact.reference,
    exact.mobile,
    mobile,
    least ?? most,
    statuses[0] ?? null,
    closed,
    ...flags,
  ];
  return (
    period === null &&
    exact.metadata === null &&
    closed !== false &&
    !lastFailed &&
    reason === null &&
    asked.filter((one) => one !== null).length <= 1
  );
}
