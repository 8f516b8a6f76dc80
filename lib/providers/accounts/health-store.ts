import { addMs, SECOND_MS } from '@/lib/core/clock';
import type { Queryable } from '@/lib/db/database';
import { BREAKER_FAILURES, restUntil } from './health-rules';

/** While an account answers, the time of its last answer is written this often. */
const SUCCESS_NOTED_MS = 10 * SECOND_MS;
const ERROR_MAX_CHARACTERS = 300;

export type CallKind = 'send' | 'query';

interface Call {
  readonly accountId: string;
  readonly kind: CallKind;
  readonly now: Date;
}

/**
 * Notes that a provider has answered a call. Writes nothing while that is known. A status query that is answered after others
 * were not shows that the provider is back: then prompts are sent again, until one fails.
 */
export async function noteAnswered(db: Queryable, { accountId, kind, now }: Call): Promise<void> {
  await db.query(
    {
      name: 'note-answered',
      text: `
WITH back AS (
  UPDATE provider_health SET failures = $5, failing_since = NULL, rest_until = NULL
  WHERE account_id = $1 AND kind = 'send' AND failures > $5 AND $2::call_kind = 'query'
    AND EXISTS (SELECT 1 FROM provider_health WHERE account_id = $1 AND kind = 'query' AND failures > 0)
)
INSERT INTO provider_health AS h (account_id, kind, last_success_at)
SELECT $1, $2::call_kind, $3::timestamptz WHERE NOT EXISTS (
  SELECT 1 FROM provider_health WHERE account_id = $1 AND kind = $2::call_kind AND failures = 0 AND last_success_at > $4)
ON CONFLICT (account_id, kind) DO UPDATE SET
  failures = 0, failing_since = NULL, rest_until = NULL, last_success_at = greatest(h.last_success_at, $3)`,
    },
    [accountId, kind, now, addMs(now, -SUCCESS_NOTED_MS), BREAKER_FAILURES - 1],
  );
}

/** Notes that a provider has not answered a call; one that began before its last answer says nothing new. */
export async function noteUnanswered(
  db: Queryable,
  { accountId, kind, now, startedAt, error }: Call & { readonly startedAt: Date; readonly error: string },
): Promise<void> {
  const [failing] = await db.query<{ failures: number; failingSince: Date }>(
    {
      text: `
INSERT INTO provider_health AS h (account_id, kind, failures, failing_since, last_failure_at, last_error)
VALUES ($1, $2::call_kind, 1, $3, $3, $5)
ON CONFLICT (account_id, kind) DO UPDATE SET
  failures = h.failures + 1, failing_since = coalesce(h.failing_since, $3), last_failure_at = $3, last_error = $5
WHERE h.last_success_at IS NULL OR h.last_success_at <= $4
RETURNING failures, failing_since AS "failingSince"`,
    },
    [accountId, kind, now, startedAt, error.slice(0, ERROR_MAX_CHARACTERS)],
  );
  if (!failing) return;
  await db.query(
    { text: 'UPDATE provider_health SET rest_until = $4 WHERE account_id = $1 AND kind = $2::call_kind AND failing_since = $3' },
    [accountId, kind, failing.failingSince, restUntil(failing, now)],
  );
}

/** Lets an account be called at once, whatever has failed: it has been tested. */
export async function forgetFailures(db: Queryable, accountId: string): Promise<void> {
  await db.query({ text: 'UPDATE provider_health SET failures = 0, failing_since = NULL, rest_until = NULL WHERE account_id = $1' }, [
    accountId,
  ]);
}
