import type { Connection, Queryable } from '@/lib/db/database';
import { int4, int8, neverNull, nullable, text, timestamptz } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** Items of a queue beyond this number are not counted, so that a long queue does not make a collection slow. */
const COUNTED_MAX = 10_000n;

const LIST_QUEUES = statement({
  name: 'list the queues with their sizes and ages',
  text: `
SELECT 'attempts' AS queue, count(*)::int AS items, min(since) AS oldest FROM (
  SELECT greatest(due_at, lease_until) AS since FROM push_attempt
  WHERE due_at <= $now AND state = 'QUEUED' AND (lease_until IS NULL OR lease_until <= $now) ORDER BY due_at LIMIT $limit) due
UNION ALL
SELECT 'queries', count(*)::int, min(since) FROM (
  SELECT greatest(due_at, lease_until) AS since FROM push_attempt
  WHERE due_at <= $now AND state <> 'QUEUED' AND (lease_until IS NULL OR lease_until <= $now) ORDER BY due_at LIMIT $limit) due
UNION ALL
SELECT 'unknown', count(*)::int, min(since) FROM (
  SELECT unknown_since AS since FROM push_attempt WHERE state = 'UNKNOWN' ORDER BY unknown_since, id LIMIT $limit) unknown
UNION ALL
SELECT 'messages', count(*)::int, min(since) FROM (
  SELECT received_at AS since FROM provider_message WHERE handled_at IS NULL ORDER BY due_at LIMIT $limit) unhandled
UNION ALL
SELECT 'reversals', count(*)::int, min(since) FROM (
  SELECT greatest(due_at, lease_until) AS since FROM reversal_request
  WHERE due_at <= $now AND (lease_until IS NULL OR lease_until <= $now) ORDER BY due_at LIMIT $limit) due
UNION ALL
SELECT 'deliveries', count(*)::int, min(since) FROM (
  SELECT greatest(d.due_at, e.rest_until, e.status_since) AS since FROM webhook_endpoint e CROSS JOIN LATERAL (
    SELECT due_at FROM webhook_delivery WHERE endpoint_id = e.id AND state = 'PENDING' AND due_at <= $now
    ORDER BY priority, due_at, id LIMIT $limit) d
  WHERE e.url IS NOT NULL AND e.status = 'active' AND (e.rest_until IS NULL OR e.rest_until <= $now) LIMIT $limit) due
UNION ALL
SELECT 'deliveries_stopped', count(*)::int, min(since) FROM (
  SELECT d.due_at AS since FROM webhook_endpoint e CROSS JOIN LATERAL (
    SELECT due_at FROM webhook_delivery WHERE endpoint_id = e.id AND state = 'PENDING' AND due_at <= $now
    ORDER BY priority, due_at, id LIMIT $limit) d
  WHERE e.url IS NOT NULL AND e.status <> 'active' LIMIT $limit) due
UNION ALL
SELECT 'mails', count(*)::int, min(since) FROM (
  SELECT due_at AS since FROM mail WHERE state = 'QUEUED' AND due_at <= $now ORDER BY due_at, id LIMIT $limit) due
UNION ALL
SELECT 'audit', count(*)::int, min(since) FROM (
  SELECT at AS since FROM audit_entry WHERE chain_number IS NULL LIMIT $limit) unsealed`,
  parameters: { now: timestamptz, limit: int8 },
  columns: { queue: text, items: int4, oldest: nullable(timestamptz) },
});

/** Returns each queue with the number of its due items, and with the time since which the oldest item waits: null if no item is due. */
export async function listQueues(db: Queryable, now: Date) {
  return LIST_QUEUES.rows(db, { now, limit: COUNTED_MAX });
}

const COUNT_ENDPOINTS = statement({
  name: 'count webhook endpoints by status',
  text: `SELECT CASE WHEN status = 'active' AND failing_since IS NOT NULL THEN 'failing' ELSE status::text END AS status, count(*)::int AS items
         FROM webhook_endpoint WHERE url IS NOT NULL GROUP BY 1`,
  parameters: {},
  columns: { status: neverNull(text), items: int4 },
});

/** Counts, by status, the endpoints that have an address. An active endpoint whose last attempts failed is `failing`. */
export async function countEndpoints(db: Queryable) {
  return COUNT_ENDPOINTS.rows(db, {});
}

const FIND_ENDPOINT_TROUBLES = statement({
  name: 'find failing and disabled webhook endpoints',
  text: `SELECT min(failing_since) FILTER (WHERE status = 'active') AS "failingSince",
           (count(*) FILTER (WHERE status = 'disabled' AND status_since > $since))::int AS disabled
         FROM webhook_endpoint WHERE url IS NOT NULL`,
  parameters: { since: timestamptz },
  columns: { failingSince: nullable(timestamptz), disabled: neverNull(int4) },
});

/** Returns since when the active endpoint that has failed longest fails, and how many endpoints were disabled after `since`. */
export async function findEndpointTroubles(db: Queryable, since: Date) {
  return (await FIND_ENDPOINT_TROUBLES.first(db, { since })) ?? { failingSince: null, disabled: 0 };
}

/** Counts the open reviews by kind. */
export async function countOpenReviews({ prisma }: Connection) {
  const groups = await prisma.review.groupBy({ by: ['kind'], where: { resolvedAt: null }, _count: true });
  return groups.map(({ kind, _count }) => ({ kind, items: _count }));
}

/** Returns the provider accounts in use. `downSince`: since when the account's calls are not answered. `refusedSince`: since when its owner is refused. */
export async function listAccountStates({ prisma }: Connection) {
  return prisma.providerAccount.findMany({ where: { disabledAt: null }, select: { id: true, downSince: true, refusedSince: true } });
}
