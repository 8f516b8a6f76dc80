import { lowestId } from '@/lib/platform/core/ids';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { bill, unpaidDay } from '@/lib/platform/db/generated/tables';
import { date, int4, pick, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { DAY_PARAMETERS, DAYS, dayValues, ID_SLACK_MS } from './day-counts';
import { type Day, startOf } from './periods';

/** The open bills that were created on one day and are not fully paid: their number, and the missing amount in senti. */
export interface UnpaidDay {
  readonly day: Day;
  readonly bills: number;
  readonly amount: bigint;
}

const SCOPE = pick(unpaidDay, 'merchantId environment');
const UNPAID =
  "b.merchant_id = $merchantId AND b.environment = $environment AND b.status IN ('NOT_PAID', 'PARTIALLY_PAID') AND b.closed_at IS NULL";

// One statement reads the stored sums and their later changes, so that both come from the same snapshot of the database.
const READ = statement({
  name: 'read unpaid days',
  text: `SELECT day::text AS day, sum(bills)::int AS bills, sum(amount)::bigint AS amount FROM (
           SELECT day, bills, amount FROM unpaid_day WHERE merchant_id = $merchantId AND environment = $environment AND day < $until
           UNION ALL
           SELECT day, bills, amount FROM unpaid_change WHERE merchant_id = $merchantId AND environment = $environment AND day < $until
           UNION ALL
           SELECT (b.created_at AT TIME ZONE 'UTC' + interval '3 hours')::date, 1, b.amount - b.paid_amount FROM bill b
           WHERE ${UNPAID} AND b.id >= $firstId AND b.created_at >= $since) one
         GROUP BY 1 HAVING sum(bills) > 0 ORDER BY 1`,
  parameters: { ...SCOPE, until: date, firstId: uuid, since: timestamptz },
  columns: { day: text, ...pick(unpaidDay, 'bills amount') },
});

/**
 * Returns the days with unpaid bills. Days before `summedTo` are read from the stored sums and their changes. For the other days, the bills
 * are counted. If `summedTo` is null, the bills of all days are counted.
 */
export async function readUnpaidDays(db: Queryable, { merchantId, environment }: Scope, summedTo: Day | null): Promise<UnpaidDay[]> {
  const since = summedTo === null ? new Date(0) : startOf(summedTo);
  const firstId = lowestId(Math.max(0, since.getTime() - ID_SLACK_MS));
  return READ.rows(db, { merchantId, environment, until: summedTo ?? '-infinity', since, firstId });
}

const READ_OVERDUE = statement({
  name: 'sum overdue bills',
  text: `SELECT count(*)::int AS bills, coalesce(sum(b.amount - b.paid_amount), 0)::bigint AS amount FROM bill b
         WHERE b.merchant_id = $merchantId AND b.environment = $environment AND b.due_at IS NOT NULL AND b.status <> 'FULLY_PAID'
           AND b.closed_at IS NULL AND b.due_at < $before`,
  parameters: { ...SCOPE, before: timestamptz },
  columns: { bills: int4, amount: bill.amount },
});

/** Returns the number and the remaining amount of the open bills that are not fully paid and were due before a day. */
export async function readOverdue(db: Queryable, { merchantId, environment }: Scope, day: Day): Promise<Omit<UnpaidDay, 'day'>> {
  return (await READ_OVERDUE.first(db, { merchantId, environment, before: startOf(day) })) ?? { bills: 0, amount: 0n };
}

// One statement counts the bills and deletes the changes. Both use the same snapshot, so every deleted change is included in the count.
const WRITE = statement({
  name: 'write unpaid days',
  text: `WITH counted_changes AS (
           DELETE FROM unpaid_change WHERE merchant_id = $merchantId AND environment = $environment AND day = ANY ($days))
         INSERT INTO unpaid_day (merchant_id, environment, day, bills, amount)
         SELECT $merchantId::uuid, $environment::environment, d.day, c.bills, c.amount
         FROM ${DAYS}
         CROSS JOIN LATERAL (
           SELECT count(*)::int AS bills, coalesce(sum(b.amount - b.paid_amount), 0)::bigint AS amount FROM bill b
           WHERE ${UNPAID} AND b.id >= d.first_id AND b.id < d.last_id AND b.created_at >= d.since AND b.created_at < d.until) c
         ON CONFLICT (merchant_id, environment, day) DO UPDATE SET bills = excluded.bills, amount = excluded.amount`,
  parameters: DAY_PARAMETERS,
});

/** Replaces the stored sums of the given days. No day may be given twice. */
export async function writeUnpaidDays(tx: Queryable, scope: Scope, days: readonly Day[]): Promise<void> {
  await WRITE.rows(tx, dayValues(scope, days));
}

const ADD_CHANGES = statement({
  name: 'add changes to unpaid days',
  text: `WITH taken AS (
           DELETE FROM unpaid_change WHERE merchant_id = $merchantId AND environment = $environment AND day < $until RETURNING day, bills, amount)
         INSERT INTO unpaid_day AS stored (merchant_id, environment, day, bills, amount)
         SELECT $merchantId::uuid, $environment::environment, day, sum(bills)::int, sum(amount)::bigint FROM taken GROUP BY day
         ON CONFLICT (merchant_id, environment, day)
         DO UPDATE SET bills = stored.bills + excluded.bills, amount = stored.amount + excluded.amount`,
  parameters: { ...SCOPE, until: date },
});

/** Adds the changes that are not included yet to the stored sums of the days before `until`. All these days must be summed up already. */
export async function addUnpaidChanges(tx: Queryable, { merchantId, environment }: Scope, until: Day): Promise<void> {
  await ADD_CHANGES.rows(tx, { merchantId, environment, until });
}
