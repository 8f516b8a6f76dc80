import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { environment, int4, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { CHECK_OUTCOMES, CHECK_STEPS, type CheckStep, type StepJudgement } from './check-rules';

/** What the audit log calls the beginning and the end of a check; both carry the check's id. */
export const CHECK_STARTED = 'webhook.check_started';
export const CHECK_ENDED = 'webhook.checked';

const IS_RUNNING = statement({
  name: 'is a check of a receiver under way',
  text: `WITH recent AS (
           SELECT action, data ->> 'check' AS name FROM audit_entry
           WHERE merchant_id = $merchantId AND id >= $sinceId AND environment = $environment AND action IN ('${CHECK_STARTED}', '${CHECK_ENDED}'))
         SELECT 1 AS running FROM recent s
         WHERE s.action = '${CHECK_STARTED}' AND NOT EXISTS (SELECT 1 FROM recent e WHERE e.action = '${CHECK_ENDED}' AND e.name = s.name) LIMIT 1`,
  parameters: { merchantId: uuid, environment, sinceId: uuid },
  columns: { running: int4 },
});

/**
 * @param sinceId an id of the time before which a check that has not ended counts as broken off.
 * @returns whether a check of the endpoint is under way.
 */
export async function isCheckRunning(tx: Queryable, scope: Scope, sinceId: string): Promise<boolean> {
  return (await IS_RUNNING.rows(tx, { ...scope, sinceId })).length > 0;
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

const LIST_CALLS = statement({
  name: 'list the calls of checks',
  text: `SELECT split_part(line, ' ', 1) AS "messageId", split_part(line, ' ', 2)::int AS number, split_part(line, ' ', 3) AS step,
           split_part(line, ' ', 4) AS outcome
         FROM audit_entry e CROSS JOIN LATERAL jsonb_array_elements_text(coalesce(e.data -> 'calls', '[]')) AS line
         WHERE e.merchant_id = $merchantId AND e.environment = $environment AND e.action = '${CHECK_ENDED}' AND e.id >= $sinceId`,
  parameters: { merchantId: uuid, environment, sinceId: uuid },
  columns: { messageId: text, number: int4, step: text, outcome: text },
});

/** @param sinceId an id of the time from which on a check has ended. @returns the calls of those checks. */
export async function listCheckedCalls(db: Queryable, scope: Scope, sinceId: string): Promise<CheckedCall[]> {
  const rows = await LIST_CALLS.rows(db, { ...scope, sinceId });
  return rows.flatMap(({ messageId, number, ...row }) => {
    const step = CHECK_STEPS.find((one) => one === row.step);
    const outcome = CHECK_OUTCOMES.find((one) => one === row.outcome);
    return step && outcome ? [{ messageId, number, step, outcome }] : [];
  });
}
