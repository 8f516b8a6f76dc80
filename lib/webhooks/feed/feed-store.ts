import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';

/** An event that has its place in a merchant's feed. */
export interface FeedEntry {
  readonly number: bigint;
  readonly deliveryId: string;
  readonly createdAt: Date;
  /** The JSON text that is also sent as the webhook. */
  readonly body: Buffer;
}

/** @returns up to so many numbered events after a number. */
export async function findFeedEntries(
  db: Queryable,
  { merchantId, environment }: Scope,
  { after, limit }: { after: bigint; limit: number },
): Promise<FeedEntry[]> {
  return db.query<FeedEntry>(
    {
      text: `SELECT f.number, f.delivery_id AS "deliveryId", f.created_at AS "createdAt", d.body
             FROM event_feed_entry f JOIN webhook_delivery d ON d.id = f.delivery_id
             WHERE f.merchant_id = $1 AND f.environment = $2 AND f.number > $3 ORDER BY f.number LIMIT $4`,
    },
    [merchantId, environment, after, limit],
  );
}

interface FeedState {
  /** The highest number given; 0 while there is none. */
  readonly last: bigint;
  /** Whether events wait for their number. */
  readonly waiting: boolean;
}

/** In the order of the index: told to look for any that waits, the planner may read the whole table for it. */
export async function findFeedState(db: Queryable, { merchantId, environment }: Scope): Promise<FeedState> {
  const [state] = await db.query<FeedState>(
    {
      text: `SELECT (SELECT coalesce(max(number), 0) FROM event_feed_entry WHERE merchant_id = $1 AND environment = $2) AS last,
               (SELECT delivery_id FROM event_feed_entry WHERE merchant_id = $1 AND environment = $2 AND number IS NULL
                ORDER BY created_at, event_number, delivery_id LIMIT 1) IS NOT NULL AS waiting`,
    },
    [merchantId, environment],
  );
  return state ?? { last: 0n, waiting: false };
}

/** The first of the two numbers of the lock; the second is the feed's. Any number will do that no other lock of two numbers has. */
const FEED_LOCK = 5_020_010;

/**
 * Lets one transaction at a time number a merchant's events, until it ends. Two feeds whose names happen to have the same hash
 * wait for each other, no more.
 */
export async function lockFeed(tx: Queryable, { merchantId, environment }: Scope): Promise<void> {
  await tx.query({ text: 'SELECT pg_advisory_xact_lock($1, hashtext($2))' }, [FEED_LOCK, `${merchantId}:${environment}`]);
}

/**
 * Gives the next numbers to up to so many of the events that have none, oldest first. Must be a statement after the lock's: what
 * another has numbered before it let the lock go must be seen.
 */
export async function numberFeedEntries(tx: Queryable, { merchantId, environment }: Scope, limit: number): Promise<void> {
  await tx.query(
    {
      text: `WITH waiting AS (
               SELECT delivery_id, row_number() OVER (ORDER BY created_at, event_number, delivery_id) AS place
               FROM event_feed_entry WHERE merchant_id = $1 AND environment = $2 AND number IS NULL
               ORDER BY created_at, event_number, delivery_id LIMIT $3
             ), last AS (
               SELECT coalesce(max(number), 0) AS number FROM event_feed_entry WHERE merchant_id = $1 AND environment = $2
             )
             UPDATE event_feed_entry f SET number = last.number + waiting.place FROM waiting, last WHERE f.delivery_id = waiting.delivery_id`,
    },
    [merchantId, environment, limit],
  );
}
