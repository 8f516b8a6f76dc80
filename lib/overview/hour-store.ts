import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, date, environment, int4, int8, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { countedBetween } from './day-store';
import type { Day } from './periods';

/** The payments through one network in one hour of the day, summed over some days. The amount is in senti. Corrections are included, reversals are not subtracted. */
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
    WHERE l.collects GROUP BY 1, 2 HAVING sum(l.amount) <> 0 OR bool_or(l.is_payment)) c`;

const SCOPE = { merchantId: uuid, environment };

const READ = statement({
  name: 'sum payments by network and hour',
  text: `SELECT network, hour::int AS hour, sum(amount)::bigint AS amount, sum(payments)::int AS payments FROM (
           SELECT network, hour, amount, payments FROM payment_hour
           WHERE merchant_id = $merchantId AND environment = $environment AND day BETWEEN $first AND $last AND NOT day = ANY ($days::date[])
           UNION ALL SELECT network, hour, amount, payments FROM (${COUNTED}) counted) one
         GROUP BY 1, 2 ORDER BY 1, 2`,
  parameters: { ...SCOPE, first: date, last: date, days: array(date) },
  columns: { network: text, hour: int4, amount: int8, payments: int4 },
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

const CLEAR = statement({
  name: 'clear hours of payments',
  text: 'DELETE FROM payment_hour WHERE merchant_id = $merchantId AND environment = $environment AND day = ANY ($days)',
  parameters: { ...SCOPE, days: array(date) },
  columns: {},
});
const WRITE = statement({
  name: 'write hours of payments',
  text: `INSERT INTO payment_hour (merchant_id, environment, day, network, hour, amount, payments)
         SELECT $merchantId::uuid, $environment::environment, day, network, hour, amount, payments FROM (${COUNTED}) counted`,
  parameters: { ...SCOPE, days: array(date) },
  columns: {},
});

/** Replaces the stored sums of the given days. */
export async function writeHours(tx: Queryable, { merchantId, environment }: Scope, days: readonly Day[]): Promise<void> {
  const values = { merchantId, environment, days };
  await CLEAR.rows(tx, values);
  await WRITE.rows(tx, values);
}
