import type { Queryable } from '@/lib/db/database';

interface UnservedNetwork {
  readonly network: string;
  /** Slug. */
  readonly merchant: string;
  readonly count: number;
  readonly since: Date;
}

/** @returns networks of live prompts that wait though no account serves them. */
export async function listUnservedNetworks(db: Queryable, now: Date): Promise<UnservedNetwork[]> {
  return db.query<UnservedNetwork>(
    {
      text: `SELECT a.network, m.slug AS merchant, count(*)::int AS count, min(a.created_at) AS since
             FROM push_attempt a JOIN merchant m ON m.id = a.merchant_id
             WHERE a.due_at IS NOT NULL AND a.call_account_id IS NULL AND a.state = 'QUEUED' AND a.environment = 'live' AND a.created_at <= $1
               AND NOT EXISTS (SELECT 1 FROM provider_account p WHERE p.environment = a.environment AND p.disabled_at IS NULL
                 AND (p.merchant_id = a.merchant_id OR p.merchant_id IS NULL) AND a.network = ANY (p.networks))
             GROUP BY a.network, m.slug ORDER BY 4 LIMIT 20`,
    },
    [now],
  );
}

/** @returns how many prompts have been unknown since before an instant, and since when the first. */
export async function countUnknown(db: Queryable, before: Date): Promise<{ count: number; oldest: Date | null }> {
  const [row] = await db.query<{ count: number; oldest: Date | null }>(
    {
      text: "SELECT count(*)::int AS count, min(unknown_since) AS oldest FROM push_attempt WHERE state = 'UNKNOWN' AND unknown_since < $1",
    },
    [before],
  );
  return row ?? { count: 0, oldest: null };
}

/** @returns how many active live merchants no account serves at all. */
export async function countUnservedMerchants(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    text: `SELECT count(*)::int AS count FROM merchant_profile f WHERE f.environment = 'live' AND f.status = 'active'
             AND NOT EXISTS (SELECT 1 FROM provider_account p WHERE p.environment = 'live' AND p.disabled_at IS NULL
               AND (p.merchant_id = f.merchant_id OR p.merchant_id IS NULL))`,
  });
  return row?.count ?? 0;
}

/** @returns how many attempts have lost so many leases in a row before the work on them was done. */
export async function countLapsing(db: Queryable, leases: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    { text: 'SELECT count(*)::int AS count FROM push_attempt WHERE due_at IS NOT NULL AND lapsed_leases >= $1' },
    [leases],
  );
  return row?.count ?? 0;
}
