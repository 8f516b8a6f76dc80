import type { Senti } from '@/lib/core/money';
import type { Queryable } from '@/lib/db/database';

/** What one process saw of a key since it last wrote that down. */
export interface Uses {
  readonly keyId: string;
  /** `2026-11-20`, in East Africa. */
  readonly day: string;
  readonly count: number;
  readonly lastAt: Date;
  readonly lastAddress: string | null;
  readonly lastRoute: string;
}

/** Adds uses to what is known; a later use that another process has written down stays the last one. */
export async function addUses(db: Queryable, uses: readonly Uses[]): Promise<void> {
  await db.query(
    {
      text: `WITH used AS (
               SELECT * FROM unnest($1::text[], $2::date[], $3::bigint[], $4::timestamptz[], $5::text[], $6::text[]) AS u(key_id, day, count, last_at, address, route)
             ), locked AS (
               -- In one order, so that no two processes wait for each other.
               SELECT id FROM api_key WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE
             ), counted AS (
               INSERT INTO api_key_day (key_id, day, uses) SELECT u.key_id, u.day, u.count FROM locked JOIN used u ON u.key_id = locked.id ORDER BY 1, 2
               ON CONFLICT (key_id, day) DO UPDATE SET uses = api_key_day.uses + EXCLUDED.uses
             )
             UPDATE api_key k SET last_used_at = u.last_at, last_address = u.address, last_route = u.route
             FROM locked JOIN (SELECT DISTINCT ON (key_id) * FROM used ORDER BY key_id, last_at DESC) u ON u.key_id = locked.id
             WHERE k.id = locked.id AND (k.last_used_at IS NULL OR k.last_used_at < u.last_at)`,
    },
    [
      uses.map(({ keyId }) => keyId),
      uses.map(({ day }) => day),
      uses.map(({ count }) => count),
      uses.map(({ lastAt }) => lastAt),
      uses.map(({ lastAddress }) => lastAddress),
      uses.map(({ lastRoute }) => lastRoute),
    ],
  );
}

/**
 * Counts a bill towards what a key's line, the key and all that it was rolled from, has created in a day, if that stays within the
 * limit. The row of the line's first key is locked until the transaction ends: bills at the same time are counted one by one.
 * @returns whether it was counted.
 */
export async function countBilled(
  tx: Queryable,
  { firstId, day, amount, dayMax }: { firstId: string; day: string; amount: Senti; dayMax: Senti },
): Promise<boolean> {
  const rows = await tx.query(
    {
      name: 'count-billed',
      text: `INSERT INTO api_key_day (key_id, day, billed) SELECT $1, $2::date, $3::bigint WHERE $3::bigint <= $4::bigint
             ON CONFLICT (key_id, day) DO UPDATE SET billed = api_key_day.billed + EXCLUDED.billed
             WHERE api_key_day.billed + EXCLUDED.billed <= $4::bigint
             RETURNING 1 AS counted`,
    },
    [firstId, day, amount, dayMax],
  );
  return rows.length > 0;
}

/** Takes back what was counted for a bill that was not created after all. */
export async function uncountBilled(
  tx: Queryable,
  { firstId, day, amount }: { firstId: string; day: string; amount: Senti },
): Promise<void> {
  await tx.query({ text: 'UPDATE api_key_day SET billed = billed - $3 WHERE key_id = $1 AND day = $2' }, [firstId, day, amount]);
}

export interface KeyDay {
  readonly day: string;
  readonly uses: number;
  /** Of its line, as far as it is counted. */
  readonly billed: Senti;
}

/** @returns the days of a key from a day on, oldest first; days without any use are missing. */
export async function listKeyDays(
  db: Queryable,
  { id, firstId }: { readonly id: string; readonly firstId: string },
  fromDay: string,
): Promise<KeyDay[]> {
  return db.query<KeyDay>(
    {
      text: `SELECT to_char(day, 'YYYY-MM-DD') AS day, coalesce(sum(uses) FILTER (WHERE key_id = $1), 0)::int AS uses,
               coalesce(sum(billed) FILTER (WHERE key_id = $2), 0)::bigint AS billed
             FROM api_key_day WHERE key_id IN ($1, $2) AND day >= $3::date GROUP BY day ORDER BY day`,
    },
    [id, firstId, fromDay],
  );
}

/** @returns how often a key has been used since a day, that day included. */
export async function countUses(db: Queryable, keyId: string, fromDay: string): Promise<number> {
  const [row] = await db.query<{ uses: number }>(
    { text: 'SELECT coalesce(sum(uses), 0)::int AS uses FROM api_key_day WHERE key_id = $1 AND day >= $2::date' },
    [keyId, fromDay],
  );
  return row?.uses ?? 0;
}
