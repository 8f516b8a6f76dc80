import type { AttemptState } from '@/lib/gateway/payments/rules';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { attemptDay, paymentAllocation, paymentDay } from '@/lib/platform/db/generated/tables';
import { array, date, int8, pick, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Day, Span } from './periods';

/** The sums of one day of a merchant. Amounts are senti and not negative. */
export interface PaymentDay {
  readonly day: Day;
  /** What the payments of this day brought to bills. Corrections are included, also later ones. */
  readonly collected: bigint;
  /** The part of `collected` that people received by hand. */
  readonly byHand: bigint;
  /** What the reversals of this day took from bills. Corrections are included, also later ones. */
  readonly reversed: bigint;
  /** The number of payments. A payment that is moved to another bill, or allocated to several, counts once. */
  readonly payments: number;
  readonly billsCreated: number;
  /** The number of bills that were fully paid on this day and still are. `paidAfterMs`: the sum of their times from creation to payment. */
  readonly billsPaid: number;
  readonly paidAfterMs: bigint;
}

/**
 * Returns SQL for the allocations of `$merchantId` in `$environment` that count between two instants: `amount`, `payment_id`, the time `at`,
 * `collects` (it counts as collected, otherwise as reversed), `is_payment` and `by_hand`. See the columns `counts_at` and `counts_as`.
 */
export function countedBetween(since: string, until: string): string {
  const select = (at: string, only: string) => `
    SELECT a.amount, a.payment_id, ${at} AS at, coalesce(a.counts_as = 'correction', a.amount > 0) AS collects, a.counts_as IS NULL AND a.amount > 0 AS is_payment,
      a.by_hand
    FROM payment_allocation a
    WHERE a.merchant_id = $merchantId AND a.environment = $environment AND ${at} >= ${since} AND ${at} < ${until} AND ${only}`;
  return `(${select('a.created_at', 'a.counts_at IS NULL')} UNION ALL ${select('a.counts_at', 'a.counts_at IS NOT NULL')})`;
}

const ENDS = ['SUCCEEDED', 'FAILED', 'EXPIRED'] as const;

/** How many attempts ended in one state on one day. Attempts that were cancelled before they were sent are not counted. */
export interface AttemptDay {
  readonly day: Day;
  readonly network: string;
  readonly state: (typeof ENDS)[number];
  /** Empty if there is no reason. */
  readonly reason: string;
  readonly count: number;
}

export const PAYMENT_COLUMNS = `day::text AS day, collected, reversed, payments, bills_created AS "billsCreated", bills_paid AS "billsPaid",
  paid_after_ms AS "paidAfterMs", by_hand AS "byHand"`;
export const ATTEMPT_COLUMNS = 'day::text AS day, network, state, reason, count';
export const PAYMENT_TYPES = { day: text, ...pick(paymentDay, 'collected reversed payments billsCreated billsPaid paidAfterMs byHand') };
export const ATTEMPT_TYPES = { day: text, ...pick(attemptDay, 'network state reason count') };
/** Returns a list with the row if its state is final, otherwise an empty list. */
export function readAttemptDay({ state, ...row }: Omit<AttemptDay, 'state'> & { readonly state: AttemptState }): AttemptDay[] {
  const end = ENDS.find((one) => one === state);
  return end ? [{ ...row, state: end }] : [];
}

const SPAN = { ...pick(paymentAllocation, 'merchantId environment'), first: date, last: date };
const WITHIN = 'merchant_id = $merchantId AND environment = $environment AND day BETWEEN $first AND $last';

const READ_PAYMENTS = statement({
  name: 'read daily payments',
  text: `SELECT ${PAYMENT_COLUMNS} FROM payment_day WHERE ${WITHIN} ORDER BY day`,
  parameters: SPAN,
  columns: PAYMENT_TYPES,
});

/** Returns the stored days from the first to the last, both inclusive. */
export async function readPaymentDays(db: Queryable, { merchantId, environment }: Scope, first: Day, last: Day): Promise<PaymentDay[]> {
  return READ_PAYMENTS.rows(db, { merchantId, environment, first, last });
}

const READ_ATTEMPTS = statement({
  name: 'read daily attempts',
  text: `SELECT ${ATTEMPT_COLUMNS} FROM attempt_day WHERE ${WITHIN} ORDER BY day`,
  parameters: SPAN,
  columns: ATTEMPT_TYPES,
});

export async function readAttemptDays(db: Queryable, { merchantId, environment }: Scope, first: Day, last: Day): Promise<AttemptDay[]> {
  const rows = await READ_ATTEMPTS.rows(db, { merchantId, environment, first, last });
  return rows.flatMap(readAttemptDay);
}

const SUM_SPANS = statement({
  name: 'sum net amounts of spans',
  text: `SELECT (SELECT coalesce(sum(a.amount), 0)::bigint FROM ${countedBetween('d.since', 'd.until')} a) AS net
         FROM unnest($from::timestamptz[], $to::timestamptz[]) WITH ORDINALITY AS d(since, until, number) ORDER BY d.number`,
  parameters: { ...pick(paymentAllocation, 'merchantId environment'), from: array(timestamptz), to: array(timestamptz) },
  columns: { net: int8 },
});

/** Returns the net amount of each span in senti: payments minus reversals. */
export async function sumSpans(db: Queryable, { merchantId, environment }: Scope, spans: readonly Span[]): Promise<bigint[]> {
  const [from, to] = [spans.map((span) => span.from), spans.map((span) => span.to)];
  const rows = await SUM_SPANS.rows(db, { merchantId, environment, from, to });
  return rows.map(({ net }) => net);
}
