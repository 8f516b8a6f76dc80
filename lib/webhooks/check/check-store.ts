import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { CheckStep, StepJudgement } from './check-rules';

/** What the audit log calls the beginning and the end of a check; both carry the check's id. */
export const CHECK_STARTED = 'webhook.check_started';
export const CHECK_ENDED = 'webhook.checked';

/**
 * @param sinceId an id of the time before which a check that has not ended counts as broken off.
 * @returns whether a check of the endpoint is under way.
 */
export async function isCheckRunning(tx: Queryable, { merchantId, environment }: Scope, sinceId: string): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `WITH recent AS (SELECT action, data ->> 'check' AS name FROM audit_entry WHERE merchant_id = $1 AND id >= $3 AND environment = $2 AND action IN ($4, $5))
             SELECT 1 AS running FROM recent s WHERE s.action = $4 AND NOT EXISTS (SELECT 1 FROM recent e WHERE e.action = $5 AND e.name = s.name) LIMIT 1`,
    },
    [merchantId, environment, sinceId, CHECK_STARTED, CHECK_ENDED],
  );
  return rows.length > 0;
}

/** One call of a check that has ended, and what was found of its step. */
export interface CheckedCall {
  readonly messageId: string;
  readonly number: number;
  readonly step: CheckStep;
  readonly outcome: StepJudgement['outcome'];
}

/** @returns a call as the audit log has it: to be read by people too. Pure. */
export function callLine({ messageId, number, step, outcome }: CheckedCall): string {
  return `${messageId} ${number} ${step} ${outcome}`;
}

/** @param sinceId an id of the time from which on a check has ended. @returns the calls of those checks. */
export async function listCheckedCalls(db: Queryable, { merchantId, environment }: Scope, sinceId: string): Promise<CheckedCall[]> {
  return db.query<CheckedCall>(
    {
      text: `SELECT split_part(line, ' ', 1) AS "messageId", split_part(line, ' ', 2)::int AS number, split_part(line, ' ', 3) AS step,
               split_part(line, ' ', 4) AS outcome
             FROM audit_entry e CROSS JOIN LATERAL jsonb_array_elements_text(coalesce(e.data -> 'calls', '[]')) AS line
             WHERE e.merchant_id = $1 AND e.environment = $2 AND e.action = $3 AND e.id >= $4`,
    },
    [merchantId, environment, CHECK_ENDED, sinceId],
  );
}
