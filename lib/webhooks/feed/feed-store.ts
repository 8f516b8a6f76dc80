import type { Scope } from '@/lib/core/scope';
import { ADVISORY_LOCKS } from '@/lib/db/advisory-locks';
import type { Queryable } from '@/lib/db/database';
import { boolean, bytea, environment, int4, int8, neverNull, nothing, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

const SCOPE = { merchantId: uuid, environment };

const FIND_ENTRIES = statement({
  name: 'find entries of a feed',
  text: `SELECT f.number, f.delivery_id AS "deliveryId", f.created_at AS "createdAt", d.body
         FROM event_feed_entry f JOIN webhook_delivery d ON d.id = f.delivery_id
         WHERE f.merchant_id = $merchantId AND f.environment = $environment AND f.number > $after ORDER BY f.number LIMIT $limit::int`,
  parameters: { ...SCOPE, after: int8, limit: int4 },
  // The body is the JSON text of the webhook.
  columns: { number: neverNull(int8), deliveryId: uuid, createdAt: timestamptz, body: bytea },
});

export type FeedEntry = Awaited<ReturnType<typeof FIND_ENTRIES.rows>>[number];

/** Returns the events after a number of the feed, in order. */
export async function findFeedEntries(
  db: Queryable,
  { merchantId, environment }: Scope,
  { after, limit }: { after: bigint; limit: number },
): Promise<FeedEntry[]> {
  return FIND_ENTRIES.rows(db, { merchantId, environment, after, limit });
}

const FIND_BILL_ENTRIES = statement({
  name: 'find the entries of a bill in a feed',
  text: `SELECT f.delivery_id AS "deliveryId", f.created_at AS "createdAt", d.body
         FROM webhook_delivery d JOIN event_feed_entry f ON f.delivery_id = d.id
         WHERE d.bill_id = $billId AND d.merchant_id = $merchantId AND d.environment = $environment ORDER BY d.event_number, d.id LIMIT 1000`,
  parameters: { ...SCOPE, billId: uuid },
  columns: { deliveryId: uuid, createdAt: timestamptz, body: bytea },
});

export type BillFeedEntry = Awaited<ReturnType<typeof FIND_BILL_ENTRIES.rows>>[number];

/** Returns the first 1,000 events of a bill, in order. */
export async function findBillFeedEntries(db: Queryable, scope: Scope, billId: string): Promise<BillFeedEntry[]> {
  return FIND_BILL_ENTRIES.rows(db, { ...scope, billId });
}

const FIND_STATE = statement({
  name: 'find the state of a feed',
  text: `SELECT (SELECT coalesce(max(number), 0) FROM event_feed_entry WHERE merchant_id = $merchantId AND environment = $environment) AS last,
           (SELECT delivery_id FROM event_feed_entry WHERE merchant_id = $merchantId AND environment = $environment AND number IS NULL
            ORDER BY created_at, event_number, delivery_id LIMIT 1) IS NOT NULL AS waiting`,
  parameters: SCOPE,
  columns: {
    /** The highest number in the feed; 0 if no event has got a number yet. */
    last: int8,
    /** Whether there are events that have not got their number in the feed yet. */
    waiting: boolean,
  },
});

/**
 * Returns the state of a merchant's feed. The statement asks for the first event that has no number in the feed yet, in index order: with
 * EXISTS, PostgreSQL might read the whole table.
 */
export async function findFeedState(db: Queryable, scope: Scope): Promise<Awaited<ReturnType<typeof FIND_STATE.rows>>[number]> {
  return (await FIND_STATE.first(db, scope)) ?? { last: 0n, waiting: false };
}

const LOCK = statement({
  name: 'lock a feed',
  text: `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.feed}, hashtext($feed)) AS locked`,
  parameters: { feed: text },
  columns: { locked: nothing },
});

/**
 * Locks a merchant's feed until the transaction ends, so that only one transaction at a time assigns numbers. Two feeds with the same hash
 * have the same lock, so one may wait for the other, which is harmless.
 */
export async function lockFeed(tx: Queryable, { merchantId, environment }: Scope): Promise<void> {
  await LOCK.rows(tx, { feed: `${merchantId}:${environment}` });
}

const NUMBER = statement({
  name: 'number entries of a feed',
  text: `WITH waiting AS (
           SELECT delivery_id, row_number() OVER (ORDER BY created_at, event_number, delivery_id) AS position
           FROM event_feed_entry WHERE merchant_id = $merchantId AND environment = $environment AND number IS NULL
           ORDER BY created_at, event_number, delivery_id LIMIT $limit::int
         ), last AS (
           SELECT coalesce(max(number), 0) AS number FROM event_feed_entry WHERE merchant_id = $merchantId AND environment = $environment
         )
         UPDATE event_feed_entry f SET number = last.number + waiting.position FROM waiting, last WHERE f.delivery_id = waiting.delivery_id`,
  parameters: { ...SCOPE, limit: int4 },
  columns: {},
});

/**
 * Assigns the next numbers of the feed to at most `limit` events, oldest first. It must run as a separate statement after `lockFeed`, so
 * that it sees the numbers that the previous holder of the lock has assigned.
 */
export async function numberFeedEntries(tx: Queryable, scope: Scope, limit: number): Promise<void> {
  await NUMBER.rows(tx, { ...scope, limit });
}
