import type { Connection, Queryable } from '@/lib/db/database';
import { boolean, environment, int4, int8, neverNull, nullable, text, timestamptz } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { correctedAmount } from '@/lib/payments/ledger/correction-store';
import { BREAKER_FAILURES } from '@/lib/providers/accounts/health-rules';

export type ServerFacts = Awaited<ReturnType<typeof readServerFacts>>;

const READ_SERVER_FACTS = statement({
  name: 'read facts of the database server',
  text: `SELECT current_setting('server_version_num')::int AS version, current_setting('fsync') AS fsync,
           current_setting('full_page_writes') AS "fullPageWrites", current_setting('synchronous_commit') AS "synchronousCommit",
           current_setting('synchronous_standby_names') AS "synchronousStandbys",
           pg_is_in_recovery() AS recovering, current_setting('transaction_read_only') = 'on' AS "readOnly",
           clock_timestamp() AS now`,
  parameters: {},
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
  parameters: {},
  columns: { role: neverNull(text), isSuperuser: neverNull(boolean), ownsTables: boolean },
});

export async function readRoleFacts(db: Queryable) {
  const facts = await READ_ROLE_FACTS.first(db, {});
  if (!facts) throw new Error('the database returned no facts about the role');
  return facts;
}

const FIND_DOUBLED_RECEIPTS = statement({
  name: 'find receipt numbers in several tills',
  text: `SELECT t.provider, t.environment, p.provider_transaction_id AS receipt, count(*)::int AS payments
         FROM payment p JOIN provider_account t ON t.id = p.till_id
         WHERE p.kind = 'payment' AND ${correctedAmount('p')} > 0
         GROUP BY 1, 2, 3 HAVING count(*) > 1 ORDER BY max(p.id::text) DESC LIMIT $limit`,
  parameters: { limit: int8 },
  columns: { provider: text, environment, receipt: text, payments: int4 },
});

/** Returns the newest receipt numbers that several tills of one provider have. Payments that were corrected to 0 do not count. */
export async function findDoubledReceipts(db: Queryable, limit: number) {
  return FIND_DOUBLED_RECEIPTS.rows(db, { limit: BigInt(limit) });
}

const FIND_OLDEST_DUE = statement({
  name: 'find the oldest due work',
  text: `SELECT least(
           (SELECT min(greatest(a.due_at, a.lease_until)) FROM push_attempt a
            WHERE a.due_at <= $now AND (a.lease_until IS NULL OR a.lease_until <= $now)
              AND NOT EXISTS (SELECT 1 FROM push_attempt b WHERE b.call_account_id = a.call_account_id
                AND b.call_token IS NOT NULL AND b.lease_until > $now AND (b.state = 'SENDING') = (a.state = 'QUEUED'))
              AND NOT EXISTS (SELECT 1 FROM provider_health h WHERE h.account_id = a.call_account_id AND h.failures >= $failures)),
           (SELECT min(greatest(due_at, lease_until)) FROM reversal_request WHERE due_at <= $now AND (lease_until IS NULL OR lease_until <= $now)),
           (SELECT min(head.due_at) FROM webhook_endpoint e CROSS JOIN LATERAL (
              SELECT greatest(d.due_at, e.rest_until, e.status_since) AS due_at FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'PENDING' AND d.due_at <= $now
              ORDER BY d.priority, d.due_at, d.id LIMIT 1) head
            WHERE e.url IS NOT NULL AND e.status = 'active' AND (e.rest_until IS NULL OR e.rest_until <= $now)
              AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.state = 'SENDING' AND d.lease_until > $now))) AS due`,
  parameters: { now: timestamptz, failures: int4 },
  columns: { due: nullable(timestamptz) },
});

/**
 * Returns since when the oldest due work waits for a worker; null if none waits. Leased work does not wait for a worker. Nor does the
 * queue of an account or endpoint while a call to that account or endpoint runs, or while such calls are paused after failures.
 */
export async function findOldestDue(db: Queryable, now: Date): Promise<Date | null> {
  return (await FIND_OLDEST_DUE.first(db, { now, failures: BREAKER_FAILURES }))?.due ?? null;
}

const LIST_UNSERVED_NETWORKS = statement({
  name: 'list unserved networks',
  text: `SELECT a.network, m.slug AS merchant, count(*)::int AS count, min(a.created_at) AS since
         FROM push_attempt a JOIN merchant m ON m.id = a.merchant_id
         WHERE a.due_at IS NOT NULL AND a.call_account_id IS NULL AND a.state = 'QUEUED' AND a.environment = 'live' AND a.created_at <= $now
           AND NOT EXISTS (SELECT 1 FROM provider_account p WHERE p.environment = a.environment AND p.disabled_at IS NULL
             AND (p.merchant_id = a.merchant_id OR p.merchant_id IS NULL) AND a.network = ANY (p.networks))
         GROUP BY a.network, m.slug ORDER BY 4 LIMIT 20`,
  parameters: { now: timestamptz },
  columns: { network: text, merchant: text, count: int4, since: timestamptz },
});

/** Lists the networks of queued live attempts that no account serves. `merchant` is the slug of the merchant. */
export async function listUnservedNetworks(db: Queryable, now: Date) {
  return LIST_UNSERVED_NETWORKS.rows(db, { now });
}

/** Counts the attempts that became unknown before an instant. `oldest`: when the first of them became unknown. */
export async function countUnknown({ prisma }: Connection, before: Date): Promise<{ count: number; oldest: Date | null }> {
  const where = { state: 'UNKNOWN', unknownSince: { lt: before } } as const;
  const { _count, _min } = await prisma.pushAttempt.aggregate({ where, _count: true, _min: { unknownSince: true } });
  return { count: _count, oldest: _min.unknownSince };
}

const COUNT_UNSERVED_MERCHANTS = statement({
  name: 'count unserved merchants',
  text: `SELECT count(*)::int AS count FROM merchant_profile f WHERE f.environment = 'live' AND f.status = 'active'
           AND NOT EXISTS (SELECT 1 FROM provider_account p WHERE p.environment = 'live' AND p.disabled_at IS NULL
             AND (p.merchant_id = f.merchant_id OR p.merchant_id IS NULL))`,
  parameters: {},
  columns: { count: int4 },
});

/** Counts the active live merchants for whom there is no provider account, neither their own nor one of the operator. */
export async function countUnservedMerchants(db: Queryable): Promise<number> {
  return (await COUNT_UNSERVED_MERCHANTS.first(db, {}))?.count ?? 0;
}

/** Counts the due attempts whose workers have lost at least `leases` leases in a row without completing the work. */
export async function countLapsing({ prisma }: Connection, leases: number): Promise<number> {
  return prisma.pushAttempt.count({ where: { dueAt: { not: null }, lapsedLeases: { gte: leases } } });
}
