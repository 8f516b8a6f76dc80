import type { Environment, Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { Day } from './periods';

/** How far a merchant's days have been added up. */
export interface Rollup extends Scope {
  /** All days before this one are; null while none is. */
  readonly coveredTo: Day | null;
}

/** Gives every merchant that has none yet its row, due at once. */
export async function addMissingRollups(db: Queryable, now: Date): Promise<void> {
  await db.query(
    {
      text: `INSERT INTO rollup (merchant_id, environment, due_at)
             SELECT p.merchant_id, p.environment, $1 FROM merchant_profile p
             WHERE NOT EXISTS (SELECT 1 FROM rollup r WHERE r.merchant_id = p.merchant_id AND r.environment = p.environment)
             ON CONFLICT DO NOTHING`,
    },
    [now],
  );
}

/** @returns one that is due, locked: the lock is the lease. Undefined when there is none, or others have them. */
export async function lockDueRollup(tx: Queryable, now: Date): Promise<Rollup | undefined> {
  const [rollup] = await tx.query<Rollup>(
    {
      name: 'lock-due-rollup',
      text: `SELECT merchant_id AS "merchantId", environment, covered_to::text AS "coveredTo" FROM rollup WHERE due_at <= $1
             ORDER BY due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    },
    [now],
  );
  return rollup;
}

export async function advanceRollup(
  tx: Queryable,
  scope: Scope,
  { coveredTo, dueAt }: { readonly coveredTo: Day; readonly dueAt: Date },
): Promise<void> {
  await tx.query({ text: 'UPDATE rollup SET covered_to = $3, due_at = $4 WHERE merchant_id = $1 AND environment = $2' }, [
    scope.merchantId,
    scope.environment,
    coveredTo,
    dueAt,
  ]);
}

/** Forgets what was added up, of all merchants or of one: it is due anew at once. @returns of how many. */
export async function resetRollups(
  db: Queryable,
  { merchantId, environment }: { readonly merchantId: string | null; readonly environment: Environment | null },
  now: Date,
): Promise<number> {
  const rows = await db.query(
    {
      text: `UPDATE rollup SET covered_to = NULL, due_at = $3 WHERE ($1::uuid IS NULL OR merchant_id = $1) AND ($2::environment IS NULL OR environment = $2)
             RETURNING 1 AS reset`,
    },
    [merchantId, environment, now],
  );
  return rows.length;
}

/** Asked for equality, the planner would rather read all bills by their ids. @returns when a merchant's first bill was created; null while there is none. */
export async function findFirstBill(db: Queryable, scope: Scope): Promise<Date | null> {
  const [first] = await db.query<{ createdAt: Date }>(
    {
      text: `SELECT b.created_at AS "createdAt" FROM unnest(enum_range(NULL::bill_status)) AS one (status)
             CROSS JOIN LATERAL (SELECT id, created_at FROM bill WHERE merchant_id = $1 AND environment = $2 AND status BETWEEN one.status AND one.status ORDER BY status, id LIMIT 1) b
             ORDER BY b.id LIMIT 1`,
    },
    [scope.merchantId, scope.environment],
  );
  return first?.createdAt ?? null;
}

/**
 * Takes the marks off the days, up to the given one, that something has changed on. To be called before these days are counted: a change that
 * this transaction does not see yet comes with a mark that it does not see either.
 * @returns these days, without those that have no mark.
 */
export async function takeStaleDays(tx: Queryable, scope: Scope, last: Day): Promise<Day[]> {
  const rows = await tx.query<{ day: Day }>(
    {
      text: `WITH taken AS (DELETE FROM stale_day WHERE merchant_id = $1 AND environment = $2 AND day <= $3 RETURNING day)
             SELECT DISTINCT day::text AS day FROM taken ORDER BY 1`,
    },
    [scope.merchantId, scope.environment, last],
  );
  return rows.map(({ day }) => day);
}

/** @returns how far the days have been added up, and which of them, from the given one on, have to be counted all the same. */
export async function readCoverage(
  db: Queryable,
  scope: Scope,
  first: Day,
): Promise<{ readonly coveredTo: Day | null; readonly stale: readonly Day[] }> {
  const [coverage] = await db.query<{ coveredTo: Day | null; stale: Day[] }>(
    {
      text: `SELECT (SELECT covered_to::text FROM rollup WHERE merchant_id = $1 AND environment = $2) AS "coveredTo",
               ARRAY(SELECT DISTINCT day::text FROM stale_day WHERE merchant_id = $1 AND environment = $2 AND day >= $3) AS stale`,
    },
    [scope.merchantId, scope.environment, first],
  );
  return coverage ?? { coveredTo: null, stale: [] };
}
