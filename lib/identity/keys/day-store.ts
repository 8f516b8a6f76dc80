import { columnsOf } from '@/lib/platform/core/columns-of';
import type { Senti } from '@/lib/platform/core/money';
import type { Queryable } from '@/lib/platform/db/database';
import { apiKey, apiKeyDay } from '@/lib/platform/db/generated/tables';
import { array, arrays, date, int4, int8, pick, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

/** The uses of a key on one day that a process has counted since it last stored them. */
export interface Uses {
  readonly keyId: string;
  /** A day in East Africa, such as `2026-11-20`. */
  readonly day: string;
  readonly count: number;
  readonly lastAt: Date;
  readonly lastAddress: string | null;
  readonly lastRoute: string;
}

const ADD_USES = statement({
  name: 'add uses of keys',
  text: `WITH used AS (
           SELECT * FROM unnest($keyId::text[], $day::date[], $count::bigint[], $lastAt::timestamptz[], $lastAddress::text[], $lastRoute::text[])
             AS u(key_id, day, count, last_at, address, route)
         ), locked AS (
           -- All processes lock the keys in the same order, which avoids deadlocks.
           SELECT id FROM api_key WHERE id = ANY ($keyId) ORDER BY id FOR NO KEY UPDATE
         ), counted AS (
           INSERT INTO api_key_day (key_id, day, uses) SELECT u.key_id, u.day, u.count FROM locked JOIN used u ON u.key_id = locked.id ORDER BY 1, 2
           ON CONFLICT (key_id, day) DO UPDATE SET uses = api_key_day.uses + EXCLUDED.uses
         )
         UPDATE api_key k SET last_used_at = u.last_at, last_address = u.address, last_route = u.route
         FROM locked JOIN (SELECT DISTINCT ON (key_id) * FROM used ORDER BY key_id, last_at DESC) u ON u.key_id = locked.id
         WHERE k.id = locked.id AND (k.last_used_at IS NULL OR k.last_used_at < u.last_at)`,
  parameters: {
    ...arrays(pick(apiKeyDay, 'keyId day')),
    count: array(int8),
    lastAt: array(timestamptz),
    lastAddress: array(apiKey.lastAddress),
    lastRoute: array(text),
  },
});

/** Adds uses to the stored counts. If another process has stored a later use of a key, that use stays the last use of the key. */
export async function addUses(db: Queryable, uses: readonly Uses[]): Promise<void> {
  const rows = uses.map((use) => ({ ...use, count: BigInt(use.count) }));
  await ADD_USES.rows(db, columnsOf(rows, ADD_USES.parameters));
}

const COUNT_BILLED = statement({
  name: 'count-billed',
  prepared: true,
  text: `INSERT INTO api_key_day (key_id, day, billed) SELECT $firstId, $day::date, $amount::bigint WHERE $amount::bigint <= $dayMax::bigint
         ON CONFLICT (key_id, day) DO UPDATE SET billed = api_key_day.billed + EXCLUDED.billed
         WHERE api_key_day.billed + EXCLUDED.billed <= $dayMax::bigint
         RETURNING 1 AS counted`,
  parameters: { firstId: text, day: apiKeyDay.day, amount: int8, dayMax: int8 },
  columns: { counted: int4 },
});

/**
 * Adds a bill to a daily total, unless the total would exceed the limit. A key shares its total with all keys that it was rolled from.
 * `firstId` is the oldest of these keys. Locks the total until the transaction ends, so that concurrent bills are counted one after
 * another. Returns whether the bill was counted.
 */
export async function countBilled(
  tx: Queryable,
  count: { readonly firstId: string; readonly day: string; readonly amount: Senti; readonly dayMax: Senti },
): Promise<boolean> {
  return (await COUNT_BILLED.first(tx, count)) !== undefined;
}

const UNCOUNT_BILLED = statement({
  name: 'uncount a bill of a key',
  text: 'UPDATE api_key_day SET billed = billed - $amount WHERE key_id = $firstId AND day = $day',
  parameters: { firstId: apiKeyDay.keyId, day: apiKeyDay.day, amount: int8 },
});

/** Subtracts a bill from the daily total, because the bill was not created. */
export async function uncountBilled(
  tx: Queryable,
  count: { readonly firstId: string; readonly day: string; readonly amount: Senti },
): Promise<void> {
  await UNCOUNT_BILLED.rows(tx, count);
}

const LIST_KEY_DAYS = statement({
  name: 'list days of a key',
  text: `SELECT to_char(day, 'YYYY-MM-DD') AS day, coalesce(sum(uses) FILTER (WHERE key_id = $id), 0)::int AS uses,
           coalesce(sum(billed) FILTER (WHERE key_id = $firstId), 0)::bigint AS billed
         FROM api_key_day WHERE key_id IN ($id, $firstId) AND day >= $fromDay::date GROUP BY day ORDER BY day`,
  parameters: { id: apiKeyDay.keyId, firstId: apiKeyDay.keyId, fromDay: date },
  columns: {
    day: text,
    uses: int4,
    /** The sum of the amounts of the bills that this key and the keys before it created on the day. Grows only while a daily limit is set. */
    billed: apiKeyDay.billed,
  },
});

export type KeyDay = Awaited<ReturnType<typeof LIST_KEY_DAYS.rows>>[number];

/** Returns the days of a key since a day, oldest first. Days without uses are missing. */
export async function listKeyDays(
  db: Queryable,
  { id, firstId }: { readonly id: string; readonly firstId: string },
  fromDay: string,
): Promise<KeyDay[]> {
  return LIST_KEY_DAYS.rows(db, { id, firstId, fromDay });
}

const COUNT_USES = statement({
  name: 'count uses of a key',
  text: 'SELECT coalesce(sum(uses), 0)::int AS uses FROM api_key_day WHERE key_id = $keyId AND day >= $fromDay::date',
  parameters: { keyId: apiKeyDay.keyId, fromDay: date },
  columns: { uses: int4 },
});

/** Returns how often a key has been used since a day, including that day. */
export async function countUses(db: Queryable, keyId: string, fromDay: string): Promise<number> {
  return (await COUNT_USES.first(db, { keyId, fromDay }))?.uses ?? 0;
}
