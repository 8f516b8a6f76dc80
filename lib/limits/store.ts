import type { Queryable } from '@/lib/db/database';
import type { Usage } from './rate-limiter';

/** How long a process's word counts, milliseconds: one that died stops counting then. */
const VALID_MS = 3_000;

/** Writes down how much this process allows. @returns what the other processes allow of the same subjects. */
export async function exchangeRates(
  db: Queryable,
  { processId, usages }: { processId: string; usages: readonly Usage[] },
): Promise<Usage[]> {
  return db.query<{ subject: string; perSecond: number }>(
    {
      name: 'exchange-rates',
      text: `
WITH mine AS (
  INSERT INTO rate_use (subject, process_id, per_second, updated_at)
  SELECT subject, $1::uuid, per_second, now() FROM unnest($2::text[], $3::float8[]) AS u(subject, per_second)
  ON CONFLICT (subject, process_id) DO UPDATE SET per_second = EXCLUDED.per_second, updated_at = EXCLUDED.updated_at
)
SELECT subject, sum(per_second) AS "perSecond" FROM rate_use
WHERE subject = ANY($2::text[]) AND process_id <> $1::uuid AND updated_at > now() - $4::int * interval '1 millisecond'
GROUP BY subject`,
    },
    [processId, usages.map(({ subject }) => subject), usages.map(({ perSecond }) => perSecond), VALID_MS],
  );
}

/** @returns how many rows of the past were deleted. */
export async function deleteOldRates(db: Queryable): Promise<number> {
  const rows = await db.query({ text: "DELETE FROM rate_use WHERE updated_at < now() - interval '1 minute' RETURNING 1" });
  return rows.length;
}
