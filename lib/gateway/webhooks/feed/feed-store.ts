import type { Scope } from '@/lib/platform/core/scope';
import { ADVISORY_LOCKS } from '@/lib/platform/db/advisory-locks';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { eventFeedEntry } from '@/lib/platform/db/generated/tables';
import { boolean, int4, int8, nothing, pick, text } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

const SCOPE = pick(eventFeedEntry, 'merchantId environment');

/** An event of a bill, as the feed returns it. `body` is the JSON text of the webhook. */
export interface BillFeedEntry {
  readonly deliveryId: string;
  readonly createdAt: Date;
  readonly body: Buffer;
}

export interface FeedEntry extends BillFeedEntry {
  readonly number: bigint;
}

/** Returns the events after a number of the feed, in order. */
export async function findFeedEntries(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  { after, limit }: { after: bigint; limit: number },
): Promise<FeedEntry[]> {
  const rows = await prisma.eventFeedEntry.findMany({
    where: { merchantId, environment, number: { gt: after } },
    orderBy: { number: 'asc' },
    take: limit,
    select: { number: true, deliveryId: true, createdAt: true, delivery: { select: { body: true } } },
  });
  return rows.map(({ number, delivery, ...entry }) => ({ ...entry, number: number ?? after, body: Buffer.from(delivery.body) }));
}

/** Returns the first 1,000 events of a bill, in order. */
export async function findBillFeedEntries(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  billId: string,
): Promise<BillFeedEntry[]> {
  const rows = await prisma.webhookDelivery.findMany({
    where: { billId, merchantId, environment, feedEntry: { isNot: null } },
    orderBy: [{ eventNumber: 'asc' }, { id: 'asc' }],
    take: 1_000,
    select: { id: true, body: true, feedEntry: { select: { createdAt: true } } },
  });
  return rows.flatMap(({ id, body, feedEntry }) =>
    feedEntry ? [{ deliveryId: id, createdAt: feedEntry.createdAt, body: Buffer.from(body) }] : [],
  );
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
});

/**
 * Assigns the next numbers of the feed to at most `limit` events, oldest first. It must run as a separate statement after `lockFeed`, so
 * that it sees the numbers that the previous holder of the lock has assigned.
 */
export async function numberFeedEntries(tx: Queryable, scope: Scope, limit: number): Promise<void> {
  await NUMBER.rows(tx, { ...scope, limit });
}
