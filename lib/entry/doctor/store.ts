import type { Queryable } from '@/lib/platform/db/database';
import { providerHealth } from '@/lib/platform/db/generated/tables';
import { boolean, int4, neverNull, nullable, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { BREAKER_FAILURES } from '@/lib/providers/accounts/health-rules';

export type ServerFacts = Awaited<ReturnType<typeof readServerFacts>>;

const READ_SERVER_FACTS = statement({
  name: 'read facts of the database server',
  text: `SELECT current_setting('server_version_num')::int AS version, current_setting('fsync') AS fsync,
           current_setting('full_page_writes') AS "fullPageWrites", current_setting('synchronous_commit') AS "synchronousCommit",
           current_setting('synchronous_standby_names') AS "synchronousStandbys",
           pg_is_in_recovery() AS recovering, current_setting('transaction_read_only') = 'on' AS "readOnly",
           clock_timestamp() AS now`,
  columns: {
    version: int4,
    fsync: text,
    fullPageWrites: text,
    synchronousCommit: text,
    /** `synchronous_standby_names`; empty without a synchronous standby. */
    synchronousStandbys: text,
    recovering: boolean,
    readOnly: boolean,
    now: timestamptz,
  },
});

export async function readServerFacts(db: Queryable) {
  const facts = await READ_SERVER_FACTS.first(db, {});
  if (!facts) throw new Error('the database returned no facts about the server');
  return facts;
}

export type RoleFacts = Awaited<ReturnType<typeof readRoleFacts>>;

const READ_ROLE_FACTS = statement({
  name: 'read facts of the database role',
  text: `SELECT r.rolname::text AS role, r.rolsuper AS "isSuperuser", EXISTS (
           SELECT 1 FROM pg_class c WHERE c.oid IN (to_regclass('audit_entry'), to_regclass('payment')) AND pg_has_role(c.relowner, 'MEMBER')
         ) AS "ownsTables"
         FROM pg_roles r WHERE r.rolname = current_user`,
  columns: { role: neverNull(text), isSuperuser: neverNull(boolean), ownsTables: boolean },
});

export async function readRoleFacts(db: Queryable) {
  const facts = await READ_ROLE_FACTS.first(db, {});
  if (!facts) throw new Error('the database returned no facts about the role');
  return facts;
}

const FIND_OLDEST_DUE = statement({
  name: 'find the oldest due work',
  text: `SELECT least(
           (SELECT min(greatest(a.due_at, a.lease_until)) FROM push_attempt a
            WHERE a.due_at <= $now AND (a.lease_until IS NULL OR a.lease_until <= $now)
              AND NOT EXISTS (SELECT 1 FROM push_attempt b WHERE b.call_account_id = a.call_account_id
                AND b.call_token IS NOT NULL AND b.lease_until > $now AND (b.state = 'SENDING') = (a.state = 'QUEUED'))
              AND NOT EXISTS (SELECT 1 FROM provider_health h WHERE h.account_id = a.call_account_id AND h.failures >= $failures)),
           (SELECT min(greatest(due_at, lease_until)) FROM refund WHERE due_at <= $now AND (lease_until IS NULL OR lease_until <= $now)),
           (SELECT min(head.due_at) FROM webhook_endpoint e CROSS JOIN LATERAL (
              SELECT greatest(d.due_at, e.rest_until, e.status_since) AS due_at FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'PENDING' AND d.due_at <= $now
              ORDER BY d.priority, d.due_at, d.id LIMIT 1) head
            WHERE e.url IS NOT NULL AND e.status = 'active' AND (e.rest_until IS NULL OR e.rest_until <= $now)
              AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'SENDING' AND d.lease_until > $now))) AS due`,
  parameters: { now: timestamptz, failures: providerHealth.failures },
  columns: { due: nullable(timestamptz) },
});

/**
 * Returns since when the oldest due work waits for a worker; null if none waits. Leased work does not wait for a worker. Nor does the
 * queue of an account or endpoint while a call to that account or endpoint runs, or while such calls are paused after failures.
 */
export async function findOldestDue(db: Queryable, now: Date): Promise<Date | null> {
  return (await FIND_OLDEST_DUE.first(db, { now, failures: BREAKER_FAILURES }))?.due ?? null;
}
