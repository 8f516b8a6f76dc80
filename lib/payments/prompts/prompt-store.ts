import type { Environment } from '@/lib/core/scope';
import { ADVISORY_LOCKS } from '@/lib/db/advisory-locks';
import type { Queryable } from '@/lib/db/database';
import { environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { attemptState } from '@/lib/payments/sql-types';
import { NOT_SHOWN, type Prompt } from './prompt-limits';

/** Newest first, more than any window takes. */
const MANY = 100;

const SELECTED_PROMPT = `a.state, a.failure_reason AS "failureReason", a.provider_account_id AS "providerAccountId", a.sent_at AS "sentAt",
  a.created_at AS "createdAt"`;
const PROMPT_COLUMNS = {
  state: attemptState,
  failureReason: nullable(text),
  providerAccountId: nullable(uuid),
  sentAt: nullable(timestamptz),
  createdAt: timestamptz,
};

/** What may have rung a phone and was not approved; in the words of the index `push_attempt_prompts`. */
const MAY_COUNT = "a.state NOT IN ('SUCCEEDED', 'CANCELLED') AND (a.state <> 'FAILED' OR a.provider_account_id IS NOT NULL)";
/** Left out before the newest are taken: whoever names a wrong network often enough would push what was shown out of them. */
const SHOWN = `(a.failure_reason IS NULL OR a.failure_reason NOT IN (${NOT_SHOWN.map((reason) => `'${reason}'`).join()}))`;

const LOCK_NUMBER = statement({
  name: 'lock a number',
  text: 'SELECT FROM pg_advisory_xact_lock($lock, hashtext($number))',
  parameters: { lock: int4, number: text },
  columns: {},
});

const LIST_PROMPTS = statement({
  name: 'list the prompts to a number',
  text: `SELECT ${SELECTED_PROMPT} FROM push_attempt a
         WHERE a.environment = $environment AND a.mobile = $mobile AND a.created_at > $since AND ${MAY_COUNT} AND ${SHOWN}
         ORDER BY a.created_at DESC LIMIT ${MANY}`,
  parameters: { environment, mobile: text, since: timestamptz },
  columns: PROMPT_COLUMNS,
});

/**
 * Lets one transaction at a time decide about a number: two bills' locks do not keep their prompts apart. Locks come in one
 * order, a bill and then a number, so that nobody waits in a circle.
 * @returns the number's prompts that may count, whoever's bills they are for.
 */
export async function lockPromptsTo(
  tx: Queryable,
  prompts: { readonly environment: Environment; readonly mobile: string; readonly since: Date },
): Promise<Prompt[]> {
  // A statement of its own: what it waited for is seen only by the next one.
  await LOCK_NUMBER.rows(tx, { lock: ADVISORY_LOCKS.promptsToNumber, number: `${prompts.environment}:${prompts.mobile}` });
  return LIST_PROMPTS.rows(tx, prompts);
}

const LIST_PROMPTS_BEFORE = statement({
  name: 'list-prompts-before',
  prepared: true,
  text: `SELECT ${SELECTED_PROMPT} FROM push_attempt me JOIN push_attempt a ON a.environment = me.environment AND a.mobile = me.mobile
         WHERE me.id = $attemptId AND me.source = 'api' AND a.id <> me.id AND a.created_at > $since AND ${MAY_COUNT} AND ${SHOWN}
           AND (a.id < me.id OR a.state NOT IN ('QUEUED', 'SENDING') OR (a.state = 'SENDING' AND a.provider_account_id IS NOT NULL))
         ORDER BY a.created_at DESC LIMIT ${MANY}`,
  parameters: { attemptId: uuid, since: timestamptz },
  columns: PROMPT_COLUMNS,
});

/**
 * @returns the prompts to a number that stand before one that the API asked for and that is about to be sent: those that have
 *   been given to a provider, and of those that still wait the older ones. So workers that send several at once count each
 *   pair of them once, without a lock. None for a prompt that the payment page asked for: there it was decided.
 */
export async function listPromptsBefore(db: Queryable, attemptId: string, since: Date): Promise<Prompt[]> {
  return LIST_PROMPTS_BEFORE.rows(db, { attemptId, since });
}
