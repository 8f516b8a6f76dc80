import { MINUTE_MS } from '@/lib/core/clock';
import { lowestId } from '@/lib/core/ids';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { type Day, type Span, spanOf } from './periods';

/** What a day of a merchant comes to. Amounts are senti, both above zero. */
export interface PaymentDay {
  readonly day: Day;
  /** Booked on bills, and taken off them again. */
  readonly collected: bigint;
  readonly reversed: bigint;
  readonly payments: number;
  readonly billsCreated: number;
  /** Fully paid that day, and since; and how long that took from their creation, added up, milliseconds. */
  readonly billsPaid: number;
  readonly paidAfterMs: bigint;
}

/** How many prompts ended one way on one day. One that was cancelled before it was sent has not been tried. */
export interface AttemptDay {
  readonly day: Day;
  readonly network: string;
  readonly state: 'SUCCEEDED' | 'FAILED' | 'EXPIRED';
  /** Empty where there is none. */
  readonly reason: string;
  readonly count: number;
}

/** A bill's id is made within moments of the instant in its row. */
const ID_SLACK_MS = MINUTE_MS;

const DAYS = 'unnest($3::date[], $4::timestamptz[], $5::timestamptz[], $6::uuid[], $7::uuid[]) AS d(day, since, until, first_id, last_id)';
const BOOKED = 'a.merchant_id = $1 AND a.environment = $2 AND a.created_at >= d.since AND a.created_at < d.until';

/** Of some days: from the rows themselves, each kind by one range of an index. */
const PAYMENT_DAYS = `
SELECT $1::uuid AS merchant_id, $2::environment AS environment, d.day, money.collected, money.reversed, money.payments, made.bills_created, paid.bills_paid,
  paid.paid_after_ms
FROM ${DAYS}
CROSS JOIN LATERAL (
  SELECT coalesce(sum(a.amount) FILTER (WHERE a.amount > 0), 0)::bigint AS collected, coalesce(-sum(a.amount) FILTER (WHERE a.amount < 0), 0)::bigint AS reversed,
    (count(*) FILTER (WHERE a.amount > 0))::int AS payments
  FROM payment_allocation a WHERE ${BOOKED}) money
CROSS JOIN LATERAL (
  SELECT count(*)::int AS bills_created FROM bill b
  WHERE b.merchant_id = $1 AND b.environment = $2 AND b.status IN ('NOT_PAID', 'PARTIALLY_PAID', 'FULLY_PAID') AND b.id >= d.first_id AND b.id < d.last_id AND b.created_at >= d.since AND b.created_at < d.until) made
CROSS JOIN LATERAL (
  SELECT count(*)::int AS bills_paid, coalesce(sum(extract(epoch FROM p.paid_at - p.created_at) * 1000), 0)::bigint AS paid_after_ms
  FROM (SELECT DISTINCT b.id, b.paid_at, b.created_at FROM payment_allocation a JOIN bill b ON b.id = a.bill_id AND b.paid_at = a.created_at
        WHERE ${BOOKED} AND a.amount > 0 AND b.status = 'FULLY_PAID') p) paid
WHERE money.collected > 0 OR money.reversed > 0 OR made.bills_created > 0`;

const ATTEMPT_DAYS = `
SELECT $1::uuid AS merchant_id, $2::environment AS environment, d.day, t.network, t.state, t.reason, t.count
FROM ${DAYS}
CROSS JOIN LATERAL (
  SELECT a.network, a.state, coalesce(a.failure_reason, '') AS reason, count(*)::int AS count FROM push_attempt a
  WHERE a.merchant_id = $1 AND a.environment = $2 AND a.settled_at >= d.since AND a.settled_at < d.until AND a.state IN ('SUCCEEDED', 'FAILED', 'EXPIRED')
  GROUP BY 1, 2, 3) t`;

const PAYMENT_COLUMNS = `day::text AS day, collected, reversed, payments, bills_created AS "billsCreated", bills_paid AS "billsPaid",
  paid_after_ms AS "paidAfterMs"`;
const ATTEMPT_COLUMNS = 'day::text AS day, network, state, reason, count';

/** Counts some days from the rows themselves: today, and what no worker has added up. */
export async function countPaymentDays(db: Queryable, scope: Scope, days: readonly Day[]): Promise<PaymentDay[]> {
  return db.query<PaymentDay>({ text: `SELECT ${PAYMENT_COLUMNS} FROM (${PAYMENT_DAYS}) counted` }, dayValues(scope, days));
}

export async function countAttemptDays(db: Queryable, scope: Scope, days: readonly Day[]): Promise<AttemptDay[]> {
  return db.query<AttemptDay>({ text: `SELECT ${ATTEMPT_COLUMNS} FROM (${ATTEMPT_DAYS}) counted` }, dayValues(scope, days));
}

/** Writes what some days come to, in place of what stood there. */
export async function writeDays(tx: Queryable, scope: Scope, days: readonly Day[]): Promise<void> {
  const values = dayValues(scope, days);
  for (const [table, counted] of [
    ['payment_day', PAYMENT_DAYS],
    ['attempt_day', ATTEMPT_DAYS],
  ] as const) {
    await tx.query(
      { text: `DELETE FROM ${table} WHERE merchant_id = $1 AND environment = $2 AND day = ANY ($3::date[])` },
      values.slice(0, 3),
    );
    await tx.query({ text: `INSERT INTO ${table} ${counted}` }, values);
  }
}

/** @returns what was written of the days from one to another, both included. */
export async function readPaymentDays(db: Queryable, scope: Scope, first: Day, last: Day): Promise<PaymentDay[]> {
  return db.query<PaymentDay>(
    {
      text: `SELECT ${PAYMENT_COLUMNS} FROM payment_day WHERE merchant_id = $1 AND environment = $2 AND day BETWEEN $3 AND $4 ORDER BY day`,
    },
    [scope.merchantId, scope.environment, first, last],
  );
}

export async function readAttemptDays(db: Queryable, scope: Scope, first: Day, last: Day): Promise<AttemptDay[]> {
  return db.query<AttemptDay>(
    {
      text: `SELECT ${ATTEMPT_COLUMNS} FROM attempt_day WHERE merchant_id = $1 AND environment = $2 AND day BETWEEN $3 AND $4 ORDER BY day`,
    },
    [scope.merchantId, scope.environment, first, last],
  );
}

/** @returns what was collected in each of some spans, reversals taken off, senti. */
export async function sumSpans(db: Queryable, scope: Scope, spans: readonly Span[]): Promise<bigint[]> {
  const rows = await db.query<{ net: bigint }>(
    {
      text: `SELECT (SELECT coalesce(sum(a.amount), 0)::bigint FROM payment_allocation a
                     WHERE a.merchant_id = $1 AND a.environment = $2 AND a.created_at >= d.since AND a.created_at < d.until) AS net
             FROM unnest($3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS d(since, until, number) ORDER BY d.number`,
    },
    [scope.merchantId, scope.environment, spans.map(({ from }) => from), spans.map(({ to }) => to)],
  );
  return rows.map(({ net }) => net);
}

function dayValues({ merchantId, environment }: Scope, days: readonly Day[]): unknown[] {
  const spans = days.map(spanOf);
  return [
    merchantId,
    environment,
    days,
    spans.map(({ from }) => from),
    spans.map(({ to }) => to),
    spans.map(({ from }) => lowestId(from.getTime() - ID_SLACK_MS)),
    spans.map(({ to }) => lowestId(to.getTime() + ID_SLACK_MS)),
  ];
}
