import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { environment, int4, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { CHECK_OUTCOMES, CHECK_STEPS, type CheckStep, type StepJudgement } from './check-rules';

/** The audit actions at the start and the end of a check. Both entries contain the check's id. */
export const CHECK_STARTED = 'webhook.check_started';
export const CHECK_ENDED = 'webhook.checked';

const IS_RUNNING = statement({
  name: 'find a running receiver check',
  text: `WITH recent AS (
           SELECT action, data ->> 'check' AS name FROM audit_entry
           WHERE merchant_id = $merchantId AND id >= $sinceId AND environment = $environment AND action IN ('${CHECK_STARTED}', '${CHECK_ENDED}'))
         SELECT 1 AS running FROM recent s
         WHERE s.action = '${CHECK_STARTED}' AND NOT EXISTS (SELECT 1 FROM recent e WHERE e.action = '${CHECK_ENDED}' AND e.name = s.name) LIMIT 1`,
  parameters: { merchantId: uuid, environment, sinceId: uuid },
  columns: { running: int4 },
});

/**
 * Returns whether a check of the endpoint is running.
 * @param sinceId the lowest UUIDv7 of a time. A check that started before that time and has not ended does not count: it was interrupted.
 */
export async function isCheckRunning(tx: Queryable, scope: Scope, sinceId: string): Promise<boolean> {
  return (await IS_RUNNING.rows(tx, { ...scope, sinceId })).length > 0;
}

/** One call of a receiver check that has ended, with the result of the call's step. */
export interface CheckedCall {
  readonly messageId: string;
  readonly number: number;
  readonly step: CheckStep;
  readonly outcome: StepJudgement['outcome'];
}

/** A call with the check that it belongs to. */
export interface RecordedCall extends CheckedCall {
  /** The id of the audit entry at the end of the check. A later check has a higher one. */
  readonly checkId: string;
  /** When the check ended. */
  readonly endedAt: Date;
}

/** Formats a call as a line of the audit log that people can read and `listCheckedCalls` can parse. */
export function callLine({ messageId, number, step, outcome }: CheckedCall): string {
  return `${messageId} ${number} ${step} ${outcome}`;
}

const LIST_CALLS = statement({
  name: 'list the calls of checks',
  text: `SELECT split_part(line, ' ', 1) AS "messageId", split_part(line, ' ', 2)::int AS number, split_part(line, ' ', 3) AS step,
           split_part(line, ' ', 4) AS outcome, e.id AS "checkId", e.at AS "endedAt"
         FROM audit_entry e CROSS JOIN LATERAL jsonb_array_elements_text(coalesce(e.data -> 'calls', '[]')) AS line
         WHERE e.merchant_id = $merchantId AND e.environment = $environment AND e.action = '${CHECK_ENDED}' AND e.id >= $sinceId`,
  parameters: { merchantId: uuid, environment, sinceId: uuid },
  columns: { messageId: text, number: int4, step: text, outcome: text, checkId: uuid, endedAt: timestamptz },
});

/** Returns the calls of the checks that ended after a time. @param sinceId the lowest UUIDv7 of that time. */
export async function listCheckedCalls(db: Queryable, scope: Scope, sinceId: string): Promise<RecordedCall[]> {
  const rows = await LIST_CALLS.rows(db, { ...scope, sinceId });
  return rows.flatMap((row) => {
    const step = CHECK_STEPS.find((one) => one === row.step);
    const outcome = CHECK_OUTCOMES.find((one) => one === row.outcome);
    return step && outcome ? [{ ...row, step, outcome }] : [];
  });
}
