import type { Queryable } from '@/lib/platform/db/database';
import { rateUse } from '@/lib/platform/db/generated/tables';
import { array, float8, int4, pick } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Usage } from './rate-limiter';

/** How long the rates of a process are valid, in milliseconds. The rates of a dead process stop counting after this time. */
const VALID_MS = 3_000;

const EXCHANGE_RATES = statement({
  name: 'exchange-rates',
  prepared: true,
  text: `
WITH mine AS (
  INSERT INTO rate_use (subject, process_id, per_second, updated_at)
  SELECT subject, $processId::uuid, per_second, now() FROM unnest($subjects::text[], $rates::float8[]) AS u(subject, per_second)
  ON CONFLICT (subject, process_id) DO UPDATE SET per_second = EXCLUDED.per_second, updated_at = EXCLUDED.updated_at
)
SELECT subject, sum(per_second) AS "perSecond" FROM rate_use
WHERE subject = ANY($subjects::text[]) AND process_id <> $processId::uuid AND updated_at > now() - $validMs::int * interval '1 millisecond'
GROUP BY subject`,
  parameters: { processId: rateUse.processId, subjects: array(rateUse.subject), rates: array(float8), validMs: int4 },
  columns: pick(rateUse, 'subject perSecond'),
});

/** Stores the rates of this process. @returns the rates of the other processes for the same subjects. */
export async function exchangeRates(
  db: Queryable,
  { processId, usages }: { processId: string; usages: readonly Usage[] },
): Promise<Usage[]> {
  const subjects = usages.map(({ subject }) => subject);
  const rates = usages.map(({ perSecond }) => perSecond);
  return EXCHANGE_RATES.rows(db, { processId, subjects, rates, validMs: VALID_MS });
}

const DELETE_OLD_RATES = statement({
  name: 'delete old rates',
  text: "DELETE FROM rate_use WHERE updated_at < now() - interval '1 minute' RETURNING 1 AS deleted",
  columns: { deleted: int4 },
});

/** Deletes rates older than a minute. @returns how many rows were deleted. */
export async function deleteOldRates(db: Queryable): Promise<number> {
  return (await DELETE_OLD_RATES.rows(db, {})).length;
}
