import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { bill, rollup } from '@/lib/platform/db/generated/tables';
import { array, date, nullable, pick, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Day } from './periods';

const SCOPE = pick(rollup, 'merchantId environment');

/** How far the days of a merchant have been summed up. */
export interface Rollup extends Scope {
  /** All days before this one are summed up completely; null if none is. */
  readonly coveredTo: Day | null;
}

const ADD_MISSING = statement({
  name: 'add missing rollups',
  text: `INSERT INTO rollup (merchant_id, environment, due_at)
         SELECT p.merchant_id, p.environment, $now FROM merchant_profile p
         WHERE NOT EXISTS (SELECT 1 FROM rollup r WHERE r.merchant_id = p.merchant_id AND r.environment = p.environment)
         ON CONFLICT DO NOTHING`,
  parameters: { now: timestamptz },
});

/** Adds a rollup that is due at once for every merchant and environment without one. */
export async function addMissingRollups(db: Queryable, now: Date): Promise<void> {
  await ADD_MISSING.rows(db, { now });
}

const LOCK_DUE = statement({
  name: 'lock-due-rollup',
  prepared: true,
  text: `SELECT merchant_id AS "merchantId", environment, (CASE WHEN hours_to IS NOT NULL THEN least(covered_to, hours_to) END)::text AS "coveredTo"
         FROM rollup WHERE due_at <= $now ORDER BY due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
  parameters: { now: timestamptz },
  columns: { ...SCOPE, coveredTo: nullable(text) },
});

/** Locks a due rollup until the transaction ends, so no lease is needed. Returns undefined if none is due or all due ones are locked. */
export async function lockDueRollup(tx: Queryable, now: Date): Promise<Rollup | undefined> {
  return LOCK_DUE.first(tx, { now });
}

const FIND_FIRST_BILL = statement({
  name: "find a merchant's first bill",
  text: `SELECT b.created_at AS "createdAt" FROM unnest(enum_range(NULL::bill_status)) AS one (status)
         CROSS JOIN LATERAL (
           SELECT id, created_at FROM bill
           WHERE merchant_id = $merchantId AND environment = $environment AND status BETWEEN one.status AND one.status ORDER BY status, id LIMIT 1) b
         ORDER BY b.id LIMIT 1`,
  parameters: SCOPE,
  columns: { createdAt: bill.createdAt },
});

/**
 * Returns the creation time of a merchant's first bill, or null. The query compares the status with BETWEEN, because with `=` PostgreSQL
 * would read all bills in the order of their ids.
 */
export async function findFirstBill(db: Queryable, scope: Scope): Promise<Date | null> {
  return (await FIND_FIRST_BILL.first(db, scope))?.createdAt ?? null;
}

const TAKE_STALE = statement({
  name: 'claim stale days',
  text: `WITH taken AS (
           DELETE FROM stale_day WHERE merchant_id = $merchantId AND environment = $environment AND day <= $last RETURNING day)
         SELECT DISTINCT day::text AS day FROM taken ORDER BY 1`,
  parameters: { ...SCOPE, last: date },
  columns: { day: text },
});

/**
 * Deletes the marks of changed days up to the given day, and returns these days. Call it before the sums of the days are computed. Then a
 * change that comes too late for this function keeps its mark, and its day is summed up again later.
 */
export async function claimStaleDays(tx: Queryable, { merchantId, environment }: Scope, last: Day): Promise<Day[]> {
  const rows = await TAKE_STALE.rows(tx, { merchantId, environment, last });
  return rows.map(({ day }) => day);
}

const READ_COVERAGE = statement({
  name: 'read the coverage of a rollup',
  text: `SELECT (SELECT covered_to::text FROM rollup WHERE merchant_id = $merchantId AND environment = $environment) AS "coveredTo",
           (SELECT hours_to::text FROM rollup WHERE merchant_id = $merchantId AND environment = $environment) AS "hoursTo",
           ARRAY(SELECT DISTINCT day::text FROM stale_day
             WHERE merchant_id = $merchantId AND environment = $environment AND day >= $first) AS stale`,
  parameters: { ...SCOPE, first: date },
  columns: { coveredTo: nullable(text), hoursTo: nullable(text), stale: array(text) },
});

/** How far the days of a merchant have been summed up, and which of them have changed since. */
export interface Coverage {
  /** All days before this one are summed up; null if none is. */
  readonly coveredTo: Day | null;
  /**
   * Before this day, the payments by hour and the unpaid bills are summed up, too. Null if they are summed up for no day, for example
   * right after an upgrade from a version that did not sum them up.
   */
  readonly hoursTo: Day | null;
  readonly stale: readonly Day[];
}

/** Returns how far the days have been summed up, and which days from `first` on have changed since. */
export async function readCoverage(db: Queryable, { merchantId, environment }: Scope, first: Day): Promise<Coverage> {
  return (await READ_COVERAGE.first(db, { merchantId, environment, first })) ?? { coveredTo: null, hoursTo: null, stale: [] };
}
