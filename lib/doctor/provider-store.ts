import type { Queryable } from '@/lib/db/database';
import { int4, nullable, text, timestamptz } from '@/lib/db/sql-types';
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

const COUNT_UNKNOWN = statement({
  name: 'count unknown attempts',
  text: "SELECT count(*)::int AS count, min(unknown_since) AS oldest FROM push_attempt WHERE state = 'UNKNOWN' AND unknown_since < $before",
  parameters: { before: timestamptz },
  columns: { count: int4, oldest: nullable(timestamptz) },
});

/** Counts the attempts that became unknown before an instant. `oldest`: when the first of them became unknown. */
export async function countUnknown(db: Queryable, before: Date): Promise<{ count: number; oldest: Date | null }> {
  return (await COUNT_UNKNOWN.first(db, { before })) ?? { count: 0, oldest: null };
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

const COUNT_LAPSING = statement({
  name: 'count attempts that lose their leases',
  text: 'SELECT count(*)::int AS count FROM push_attempt WHERE due_at IS NOT NULL AND lapsed_leases >= $leases',
  parameters: { leases: int4 },
  columns: { count: int4 },
});

/** Counts the due attempts whose workers have lost at least `leases` leases in a row without completing the work. */
export async function countLapsing(db: Queryable, leases: number): Promise<number> {
  return (await COUNT_LAPSING.first(db, { leases }))?.count ?? 0;
}
