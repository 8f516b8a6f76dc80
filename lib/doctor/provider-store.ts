import type { Connection, Queryable } from '@/lib/db/database';
import { int4, text, timestamptz } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

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

/** Counts the active live merchants without any account, their own or the operator's. */
export async function countUnservedMerchants(db: Queryable): Promise<number> {
  return (await COUNT_UNSERVED_MERCHANTS.first(db, {}))?.count ?? 0;
}

/** Counts the due attempts whose workers have lost at least `leases` leases in a row without completing the work. */
export async function countLapsing({ prisma }: Connection, leases: number): Promise<number> {
  return prisma.pushAttempt.count({ where: { dueAt: { not: null }, lapsedLeases: { gte: leases } } });
}
