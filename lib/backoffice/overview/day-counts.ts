import { MINUTE_MS } from '@/lib/platform/core/clock';
import { lowestId } from '@/lib/platform/core/ids';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { paymentAllocation } from '@/lib/platform/db/generated/tables';
import { array, date, pick, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import {
  ATTEMPT_COLUMNS,
  ATTEMPT_TYPES,
  type AttemptDay,
  countedBetween,
  PAYMENT_COLUMNS,
  PAYMENT_TYPES,
  type PaymentDay,
  readAttemptDay,
} from './day-store';
import { type Day, spanOf } from './periods';

/** The time in a bill's id may differ slightly from `created_at`. So a range of ids is extended by this many milliseconds at each end. */
export const ID_SLACK_MS = MINUTE_MS;

/** SQL for the days to sum up. `dayValues` returns the values of its parameters. */
export const DAYS =
  'unnest($days::date[], $since::timestamptz[], $until::timestamptz[], $firstIds::uuid[], $lastIds::uuid[]) AS d(day, since, until, first_id, last_id)';
const BOOKED = 'a.merchant_id = $merchantId AND a.environment = $environment AND a.created_at >= d.since AND a.created_at < d.until';

/** Computes the sums of each day from the allocations and bills, not from stored sums. Reads one index range per day and kind of row. */
const PAYMENT_DAYS = `
SELECT $merchantId::uuid AS merchant_id, $environment::environment AS environment, d.day, money.collected, money.reversed, money.payments, made.bills_created, paid.bills_paid,
  paid.paid_after_ms, money.by_hand
FROM ${DAYS}
CROSS JOIN LATERAL (
  SELECT coalesce(sum(a.amount) FILTER (WHERE a.collects), 0)::bigint AS collected, coalesce(-sum(a.amount) FILTER (WHERE NOT a.collects), 0)::bigint AS reversed,
    (count(*) FILTER (WHERE a.is_payment))::int AS payments, coalesce(sum(a.amount) FILTER (WHERE a.collects AND a.by_hand), 0)::bigint AS by_hand
  FROM ${countedBetween('d.since', 'd.until')} a) money
CROSS JOIN LATERAL (
  SELECT count(*)::int AS bills_created FROM bill b
  WHERE b.merchant_id = $merchantId AND b.environment = $environment AND b.status IN ('NOT_PAID', 'PARTIALLY_PAID', 'FULLY_PAID') AND b.id >= d.first_id AND b.id < d.last_id AND b.created_at >= d.since AND b.created_at < d.until) made
CROSS JOIN LATERAL (
  SELECT count(*)::int AS bills_paid, coalesce(sum(extract(epoch FROM p.paid_at - p.created_at) * 1000), 0)::bigint AS paid_after_ms
  FROM (SELECT DISTINCT b.id, b.paid_at, b.created_at FROM payment_allocation a JOIN bill b ON b.id = a.bill_id AND b.paid_at = a.created_at
        WHERE ${BOOKED} AND a.amount > 0 AND b.status = 'FULLY_PAID') p) paid
WHERE money.collected <> 0 OR money.reversed <> 0 OR money.payments > 0 OR made.bills_created > 0 OR paid.bills_paid > 0`;

const ATTEMPT_DAYS = `
SELECT $merchantId::uuid AS merchant_id, $environment::environment AS environment, d.day, t.network, t.state, t.reason, t.count
FROM ${DAYS}
CROSS JOIN LATERAL (
  SELECT a.network, a.state, coalesce(a.failure_reason, '') AS reason, count(*)::int AS count FROM push_attempt a
  WHERE a.merchant_id = $merchantId AND a.environment = $environment AND a.settled_at >= d.since AND a.settled_at < d.until AND a.state IN ('SUCCEEDED', 'FAILED', 'EXPIRED')
  GROUP BY 1, 2, 3) t`;

export const DAY_PARAMETERS = {
  ...pick(paymentAllocation, 'merchantId environment'),
  days: array(date),
  since: array(timestamptz),
  until: array(timestamptz),
  firstIds: array(uuid),
  lastIds: array(uuid),
};

const COUNT_PAYMENTS = statement({
  name: 'count daily payments',
  text: `SELECT ${PAYMENT_COLUMNS} FROM (${PAYMENT_DAYS}) counted`,
  parameters: DAY_PARAMETERS,
  columns: PAYMENT_TYPES,
});

/** Computes the sums of days from the original rows. Used for today, and for days that no worker has summed up. */
export async function countPaymentDays(db: Queryable, scope: Scope, days: readonly Day[]): Promise<PaymentDay[]> {
  return COUNT_PAYMENTS.rows(db, dayValues(scope, days));
}

const COUNT_ATTEMPTS = statement({
  name: 'count daily attempts',
  text: `SELECT ${ATTEMPT_COLUMNS} FROM (${ATTEMPT_DAYS}) counted`,
  parameters: DAY_PARAMETERS,
  columns: ATTEMPT_TYPES,
});

export async function countAttemptDays(db: Queryable, scope: Scope, days: readonly Day[]): Promise<AttemptDay[]> {
  const rows = await COUNT_ATTEMPTS.rows(db, dayValues(scope, days));
  return rows.flatMap(readAttemptDay);
}

const WRITE_PAYMENTS = statement({
  name: 'write days of payments',
  text: `INSERT INTO payment_day ${PAYMENT_DAYS}`,
  parameters: DAY_PARAMETERS,
});
const WRITE_ATTEMPTS = statement({
  name: 'write days of attempts',
  text: `INSERT INTO attempt_day ${ATTEMPT_DAYS}`,
  parameters: DAY_PARAMETERS,
});

/** Replaces the stored sums of the given days. */
export async function writeDays(tx: Connection, scope: Scope, days: readonly Day[]): Promise<void> {
  const values = dayValues(scope, days);
  const where = { merchantId: scope.merchantId, environment: scope.environment, day: { in: days.map((day) => new Date(day)) } };
  await tx.prisma.paymentDay.deleteMany({ where });
  await WRITE_PAYMENTS.rows(tx, values);
  await tx.prisma.attemptDay.deleteMany({ where });
  await WRITE_ATTEMPTS.rows(tx, values);
}

/** Returns the values of the parameters for the given days. */
export function dayValues({ merchantId, environment }: Scope, days: readonly Day[]) {
  const spans = days.map(spanOf);
  return {
    merchantId,
    environment,
    days,
    since: spans.map(({ from }) => from),
    until: spans.map(({ to }) => to),
    firstIds: spans.map(({ from }) => lowestId(from.getTime() - ID_SLACK_MS)),
    lastIds: spans.map(({ to }) => lowestId(to.getTime() + ID_SLACK_MS)),
  };
}
