import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { paymentHour, pushAttempt } from '@/lib/platform/db/generated/tables';
import { array, date, int4, pick } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { countedBetween } from './day-store';
import type { Day } from './periods';

/**
 * The payments through one network in one hour of the day, summed over some days. The amount is in senti. Corrections are included, reversals
 * are not subtracted. Money that people received by hand does not count.
 */
export interface HourSum {
  readonly network: string;
  /** From 0 to 23, in East Africa Time. */
  readonly hour: number;
  readonly amount: bigint;
  readonly payments: number;
}

/**
 * Computes the sums of days from the original rows. It uses scalar subqueries, because PostgreSQL would read all payments for a join. A
 * payment that an operator recorded without an attempt has no network.
 */
const COUNTED = `
  SELECT d.day, c.network, c.hour, c.amount, c.payments FROM unnest($days::date[]) AS d(day) CROSS JOIN LATERAL (
    SELECT coalesce((SELECT (SELECT t.network FROM push_attempt t WHERE t.id = p.attempt_id) FROM payment p WHERE p.id = l.payment_id), 'other') AS network,
      extract(hour FROM l.at AT TIME ZONE 'UTC' + interval '3 hours')::smallint AS hour, sum(l.amount)::bigint AS amount,
      (count(*) FILTER (WHERE l.is_payment))::int AS payments
    FROM ${countedBetween("(d.day - interval '3 hours') AT TIME ZONE 'UTC'", "(d.day + interval '21 hours') AT TIME ZONE 'UTC'")} l
    WHERE l.collects AND NOT l.by_hand GROUP BY 1, 2 HAVING sum(l.amount) <> 0 OR bool_or(l.is_payment)) c`;

const SCOPE = pick(pushAttempt, 'merchantId environment');

const READ = statement({
  name: 'sum payments by network and hour',
  text: `SELECT network, hour::int AS hour, sum(amount)::bigint AS amount, sum(payments)::int AS payments FROM (
           SELECT network, hour, amount, payments FROM payment_hour
           WHERE merchant_id = $merchantId AND environment = $environment AND day BETWEEN $first AND $last AND NOT day = ANY ($days::date[])
           UNION ALL SELECT network, hour, amount, payments FROM (${COUNTED}) counted) one
         GROUP BY 1, 2 ORDER BY 1, 2`,
  parameters: { ...SCOPE, first: date, last: date, days: array(date) },
  columns: { ...pick(paymentHour, 'network amount payments'), hour: int4 },
});

interface HourDays {
  /** The first and the last of the days to sum, both inclusive. */
  readonly first: Day;
  readonly last: Day;
  /** The days from `first` to `last` that no worker has summed up, or that have changed since. Their sums are computed from the original rows. */
  readonly counted: readonly Day[];
}

export async function readHours(db: Queryable, { merchantId, environment }: Scope, { first, last, counted }: HourDays): Promise<HourSum[]> {
  return READ.rows(db, { merchantId, environment, first, last, days: counted });
}

const WRITE = statement({
  name: 'write hours of payments',
  text: `INSERT INTO payment_hour (merchant_id, environment, day, network, hour, amount, payments)
         SELECT $merchantId::uuid, $environment::environment, day, network, hour, amount, payments FROM (${COUNTED}) counted`,
  parameters: { ...SCOPE, days: array(date) },
});

/** Replaces the stored sums of the given days. */
export async function writeHours(tx: Connection, { merchantId, environment }: Scope, days: readonly Day[]): Promise<void> {
  await tx.prisma.paymentHour.deleteMany({ where: { merchantId, environment, day: { in: days.map((day) => new Date(day)) } } });
  await WRITE.rows(tx, { merchantId, environment, days });
}
