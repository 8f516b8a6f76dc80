import { addMs, SECOND_MS } from '@/lib/core/clock';
import type { Connection, Queryable } from '@/lib/db/database';
import { enumType, int4, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { BREAKER_FAILURES, restUntil } from './health-rules';

/** While an account answers, the time of its last answer is written this often. */
const SUCCESS_NOTED_MS = 10 * SECOND_MS;
const ERROR_MAX_CHARACTERS = 300;

const CALL_KINDS = ['send', 'query'] as const;
export type CallKind = (typeof CALL_KINDS)[number];
const callKind = enumType('call_kind', CALL_KINDS);

interface Call {
  readonly accountId: string;
  readonly kind: CallKind;
  readonly now: Date;
}

const NOTE_ANSWERED = statement({
  name: 'note-answered',
  prepared: true,
  text: `
WITH back AS (
  UPDATE provider_health SET failures = $failures, failing_since = NULL, rest_until = NULL
  WHERE account_id = $accountId AND kind = 'send' AND failures > $failures AND $kind::call_kind = 'query'
    AND EXISTS (SELECT 1 FROM provider_health WHERE account_id = $accountId AND kind = 'query' AND failures > 0)
)
INSERT INTO provider_health AS h (account_id, kind, last_success_at)
SELECT $accountId, $kind::call_kind, $now::timestamptz WHERE NOT EXISTS (
  SELECT 1 FROM provider_health WHERE account_id = $accountId AND kind = $kind::call_kind AND failures = 0 AND last_success_at > $notedSince)
ON CONFLICT (account_id, kind) DO UPDATE SET
  failures = 0, failing_since = NULL, rest_until = NULL, last_success_at = greatest(h.last_success_at, $now)`,
  parameters: { accountId: uuid, kind: callKind, now: timestamptz, notedSince: timestamptz, failures: int4 },
  columns: {},
});

/**
 * Notes that a provider has answered a call. Writes nothing while that is known. A status query that is answered after others
 * were not shows that the provider is back: then prompts are sent again, until one fails.
 */
export async function noteAnswered(db: Queryable, { accountId, kind, now }: Call): Promise<void> {
  await NOTE_ANSWERED.rows(db, { accountId, kind, now, notedSince: addMs(now, -SUCCESS_NOTED_MS), failures: BREAKER_FAILURES - 1 });
}

const NOTE_UNANSWERED = statement({
  name: 'note that a call was not answered',
  text: `
INSERT INTO provider_health AS h (account_id, kind, failures, failing_since, last_failure_at, last_error)
VALUES ($accountId, $kind::call_kind, 1, $now, $now, $error)
ON CONFLICT (account_id, kind) DO UPDATE SET
  failures = h.failures + 1, failing_since = coalesce(h.failing_since, $now), last_failure_at = $now, last_error = $error
WHERE h.last_success_at IS NULL OR h.last_success_at <= $startedAt
RETURNING failures, failing_since AS "failingSince"`,
  parameters: { accountId: uuid, kind: callKind, now: timestamptz, startedAt: timestamptz, error: text },
  columns: { failures: int4, failingSince: neverNull(timestamptz) },
});

const REST = statement({
  name: 'have an account rest',
  text: `UPDATE provider_health SET rest_until = $restUntil
         WHERE account_id = $accountId AND kind = $kind::call_kind AND failing_since = $failingSince`,
  parameters: { accountId: uuid, kind: callKind, failingSince: timestamptz, restUntil: nullable(timestamptz) },
  columns: {},
});

/** Notes that a provider has not answered a call; one that began before its last answer says nothing new. */
export async function noteUnanswered(
  db: Queryable,
  { error, ...call }: Call & { readonly startedAt: Date; readonly error: string },
): Promise<void> {
  const failing = await NOTE_UNANSWERED.first(db, { ...call, error: error.slice(0, ERROR_MAX_CHARACTERS) });
  if (!failing) return;
  const { accountId, kind, now } = call;
  await REST.rows(db, { accountId, kind, failingSince: failing.failingSince, restUntil: restUntil(failing, now) });
}

/** Lets an account be called at once, whatever has failed: it has been tested. */
export async function forgetFailures({ prisma }: Connection, accountId: string): Promise<void> {
  await prisma.providerHealth.updateMany({ where: { accountId }, data: { failures: 0, failingSince: null, restUntil: null } });
}
