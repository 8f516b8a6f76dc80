import { addMs, DAY_MS } from '@/lib/core/clock';
import { lowestId } from '@/lib/core/ids';
import { int4, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { Runtime } from '@/lib/runtime/runtime';

/** How long the simulated provider remembers a prompt. Afterwards, it can no longer reverse the payment. */
export const KEPT_DAYS = 90;
const BATCH = 1_000;

const DELETE_OLD = statement({
  name: 'delete old sandbox prompts',
  text: `
WITH old AS (
  SELECT reference FROM sandbox_prompt p WHERE created_at < $before
    AND NOT EXISTS (SELECT 1 FROM sandbox_step s WHERE s.reference = p.reference AND s.done_at IS NULL)
  LIMIT $limit::int FOR UPDATE SKIP LOCKED
),
rings AS (DELETE FROM sandbox_ring r USING old WHERE r.reference = old.reference),
steps AS (DELETE FROM sandbox_step s USING old WHERE s.reference = old.reference),
scenarios AS (
  DELETE FROM sandbox_scenario WHERE (merchant_id, environment, bill_id) IN (
    SELECT merchant_id, environment, bill_id FROM sandbox_scenario WHERE bill_id < $lowestBill LIMIT $limit::int
  )
)
SELECT count(*)::int AS count FROM old`,
  parameters: { before: timestamptz, lowestBill: uuid, limit: int4 },
  columns: { count: int4 },
});

const DELETE_PROMPTS = statement({
  name: 'delete sandbox prompts without steps',
  text: `WITH deleted AS (
           DELETE FROM sandbox_prompt p WHERE created_at < $before
             AND NOT EXISTS (SELECT 1 FROM sandbox_step s WHERE s.reference = p.reference)
             AND NOT EXISTS (SELECT 1 FROM sandbox_ring r WHERE r.reference = p.reference)
           RETURNING 1
         ) SELECT count(*)::int AS count FROM deleted`,
  parameters: { before: timestamptz },
  columns: { count: int4 },
});

/** Deletes old prompts of the simulated provider, with everything that belongs to them. Returns whether there may be more. */
export async function deleteOldPrompts({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<boolean> {
  const before = addMs(clock(), -KEPT_DAYS * DAY_MS);
  const emptied = (await DELETE_OLD.first(db, { before, lowestBill: lowestId(before.getTime()), limit: BATCH }))?.count ?? 0;
  // Rows of the other tables refer to prompts by foreign keys, so prompts are deleted last.
  await DELETE_PROMPTS.rows(db, { before });
  return emptied === BATCH;
}
