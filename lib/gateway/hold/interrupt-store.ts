import type { Queryable } from '@/lib/platform/db/database';
import { int4, nullable, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { routeTo } from '@/lib/providers/accounts/route-store';

const NEWEST_OPEN = statement({
  name: 'find the newest open attempt',
  text: `SELECT max(created_at) AS newest FROM push_attempt
         WHERE due_at IS NOT NULL AND environment = 'live' AND state IN ('QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN')`,
  columns: { newest: nullable(timestamptz) },
});

/** Returns when the newest open attempt of live was created, of those on which a worker still works; null if there is none. */
export async function newestOpenAttempt(db: Queryable): Promise<Date | null> {
  return (await NEWEST_OPEN.first(db, {}))?.newest ?? null;
}

/** How many requests count as interrupted. */
export interface Interrupted {
  readonly attempts: number;
  readonly refunds: number;
  readonly instruments: number;
}

const NOW = { now: timestamptz };
const COUNT = { count: int4 };
const CLAIMED = 'lease_token = r.lease_token + 1, lease_until = $now, due_at = $now, send_count = r.send_count + 1, sent_at = $now';

/**
 * An attempt that no account can send stays QUEUED: its first request would be answered by nobody. The account that may have got the request
 * is the one that would send it now. If it was another one, a callback of that one still finds the attempt.
 */
const INTERRUPT_ATTEMPTS = statement({
  name: 'interrupt attempts',
  text: `WITH due AS (
           SELECT a.id, coalesce(a.provider_account_id, a.call_account_id, (${routeTo('a')})) AS account_id FROM push_attempt a
           WHERE a.due_at IS NOT NULL AND a.environment = 'live'
             AND (a.state = 'QUEUED' OR (a.state = 'SENDING' AND a.provider_account_id IS NULL))
           ORDER BY a.id FOR UPDATE OF a
         ), interrupted AS (
           UPDATE push_attempt r SET state = 'SENDING', provider_account_id = due.account_id, call_account_id = due.account_id,
             call_token = r.lease_token + 1, ${CLAIMED}
           FROM due WHERE r.id = due.id AND due.account_id IS NOT NULL RETURNING 1
         )
         SELECT count(*)::int AS count FROM interrupted`,
  parameters: NOW,
  columns: COUNT,
});

const INTERRUPT_REFUNDS = statement({
  name: 'interrupt refunds',
  text: `WITH interrupted AS (
           UPDATE refund r SET state = 'SENDING', ${CLAIMED} WHERE r.environment = 'live' AND r.state = 'QUEUED' AND r.due_at IS NOT NULL RETURNING 1
         )
         SELECT count(*)::int AS count FROM interrupted`,
  parameters: NOW,
  columns: COUNT,
});

const INTERRUPT_INSTRUMENTS = statement({
  name: 'interrupt instruments',
  text: `WITH interrupted AS (
           UPDATE instrument r SET state = 'SENDING', ${CLAIMED} WHERE r.environment = 'live' AND r.state = 'ASKED' AND r.due_at IS NOT NULL
           RETURNING 1
         )
         SELECT count(*)::int AS count FROM interrupted`,
  parameters: NOW,
  columns: COUNT,
});

/**
 * Makes every live request that is not sent yet look as if its worker had died while it sent the request. The next worker makes it unknown and
 * queries its status.
 */
export async function interruptRequests(tx: Queryable, now: Date): Promise<Interrupted> {
  const count = async (of: typeof INTERRUPT_ATTEMPTS) => (await of.first(tx, { now }))?.count ?? 0;
  return {
    attempts: await count(INTERRUPT_ATTEMPTS),
    refunds: await count(INTERRUPT_REFUNDS),
    instruments: await count(INTERRUPT_INSTRUMENTS),
  };
}
