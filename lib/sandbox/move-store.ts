import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { environment, int4, nullable, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

const SCOPE = 'merchant_id = $merchantId AND environment = $environment';
const BATCH = { merchantId: uuid, environment, id: uuid, seconds: int4, limit: int4 };

/**
 * Bills and endpoints with an earlier time do not move any more, because PostgreSQL cannot store every early time. The API accepts no
 * earlier due date either.
 */
const EARLIEST = "'2000-01-01'";

interface Batch {
  readonly seconds: number;
  readonly now: Date;
  /**
   * The batch begins after the row with this due time and `id`. Only batches of webhooks use the time, because only they follow the due
   * times. All other batches follow the ids.
   */
  readonly at: Date;
  readonly id: string;
  readonly limit: number;
}

export interface MovedBatch {
  /** How many rows the batch found. If it found fewer than its limit, it was the last batch. */
  readonly found: number;
  readonly moved: number;
  /** The id of the last row that the batch found; null if it found none. The next batch begins after this row. */
  readonly lastId: string | null;
  readonly lastAt: Date | null;
}

const FOUND = { found: int4, moved: int4, lastId: nullable(uuid) };
const NONE: MovedBatch = { found: 0, moved: 0, lastId: null, lastAt: null };

const MOVE_PROMPTS = statement({
  name: 'move the times of sandbox prompts',
  // Attempts are locked in the order of their ids, which prevents deadlocks.
  text: `
WITH own AS MATERIALIZED (
  SELECT id, our_reference FROM push_attempt WHERE id > $id AND ${SCOPE} ORDER BY id LIMIT $limit::int FOR NO KEY UPDATE
), steps AS (
  UPDATE sandbox_step s SET due_at = s.due_at - make_interval(secs => $seconds::int) FROM own
  WHERE s.reference = own.our_reference AND s.due_at > $now RETURNING s.reference
), queries AS (
  UPDATE push_attempt a SET due_at = a.due_at - make_interval(secs => $seconds::int) FROM own
  WHERE a.id = own.id AND a.due_at > $now AND a.lease_until IS NULL
)
SELECT (SELECT count(*) FROM own)::int AS found, (SELECT count(DISTINCT reference) FROM steps)::int AS moved,
  (SELECT id FROM own ORDER BY id DESC LIMIT 1) AS "lastId"`,
  parameters: { ...BATCH, now: timestamptz },
  columns: FOUND,
});

/** Makes the answers of simulated phones and the status queries happen earlier, for the next batch of a merchant's attempts. */
export async function movePrompts(db: Queryable, { merchantId, environment: where }: Scope, batch: Batch): Promise<MovedBatch> {
  const { id, now, seconds, limit } = batch;
  const row = await MOVE_PROMPTS.first(db, { merchantId, environment: where, id, now, seconds, limit });
  return row ? { ...row, lastAt: null } : NONE;
}

const MOVABLE = `closed_at IS NULL AND least(expires_at, due_at) > ${EARLIEST} AND (expires_at IS NOT NULL OR $seconds::int >= 86400)`;
const newest = (status: 'NOT_PAID' | 'PARTIALLY_PAID') =>
  `(SELECT id FROM bill WHERE ${SCOPE} AND status = '${status}' AND id < $id AND ${MOVABLE} ORDER BY id DESC LIMIT $limit::int)`;

const MOVE_BILLS = statement({
  name: 'move the times of sandbox bills',
  // A due date is the end of a day, so it moves by whole days. Bills are locked in the order of their ids, which prevents deadlocks.
  text: `
WITH next AS MATERIALIZED (
  SELECT id FROM (${newest('NOT_PAID')} UNION ALL ${newest('PARTIALLY_PAID')}) either ORDER BY id DESC LIMIT $limit::int
), own AS MATERIALIZED (
  SELECT id FROM bill WHERE id = ANY (ARRAY(SELECT id FROM next)) AND status <> 'FULLY_PAID' AND ${MOVABLE} ORDER BY id FOR NO KEY UPDATE
), moved AS (
  UPDATE bill b SET version = version + 1, expires_at = expires_at - make_interval(secs => $seconds::int),
    due_at = due_at - make_interval(days => $seconds::int / 86400)
  FROM own WHERE b.id = own.id
  RETURNING 1
)
SELECT (SELECT count(*) FROM next)::int AS found, (SELECT count(*) FROM moved)::int AS moved,
  (SELECT id FROM next ORDER BY id LIMIT 1) AS "lastId"`,
  parameters: BATCH,
  columns: FOUND,
});

/**
 * Makes the expiry and the due date earlier for the next batch of a merchant's open bills. The batches go from the newest bill to the
 * oldest, so bills that are created between two batches do not change.
 */
export async function moveBills(db: Queryable, { merchantId, environment: where }: Scope, batch: Batch): Promise<MovedBatch> {
  const { id, seconds, limit } = batch;
  const row = await MOVE_BILLS.first(db, { merchantId, environment: where, id, seconds, limit });
  return row ? { ...row, lastAt: null } : NONE;
}

const MOVE_WEBHOOKS = statement({
  name: 'move the times of sandbox webhooks',
  // Batches follow the due times, because the index of due deliveries has this order. A moved delivery is then due before the beginning
  // of the next batch, so it moves only once.
  text: `
WITH next AS MATERIALIZED (
  SELECT d.id, d.due_at FROM webhook_endpoint e CROSS JOIN (VALUES (0::smallint), (1::smallint)) p(priority) CROSS JOIN LATERAL (
    SELECT id, due_at FROM webhook_delivery WHERE endpoint_id = e.id AND priority = p.priority AND state = 'PENDING'
      AND (due_at, id) > ($at::timestamptz, $id::uuid)
    ORDER BY due_at, id LIMIT $limit::int) d
  WHERE e.merchant_id = $merchantId AND e.environment = $environment
  ORDER BY d.due_at, d.id LIMIT $limit::int
), own AS MATERIALIZED (
  SELECT id FROM webhook_delivery WHERE id = ANY (ARRAY(SELECT id FROM next)) AND state = 'PENDING' ORDER BY id FOR UPDATE SKIP LOCKED
), moved AS (
  UPDATE webhook_delivery d SET due_at = d.due_at - make_interval(secs => $seconds::int) FROM own WHERE d.id = own.id
  RETURNING 1
), last AS (
  SELECT id, due_at FROM next ORDER BY due_at DESC, id DESC LIMIT 1
)
SELECT (SELECT count(*) FROM next)::int AS found, (SELECT count(*) FROM moved)::int AS moved,
  (SELECT id FROM last) AS "lastId", (SELECT due_at FROM last) AS "lastAt"`,
  parameters: { ...BATCH, at: timestamptz },
  columns: { ...FOUND, lastAt: nullable(timestamptz) },
});

/** Makes the next batch of a merchant's waiting deliveries due earlier. Skips deliveries that another transaction is changing. */
export async function moveWebhooks(db: Queryable, { merchantId, environment: where }: Scope, batch: Batch): Promise<MovedBatch> {
  const { at, id, seconds, limit } = batch;
  return (await MOVE_WEBHOOKS.first(db, { merchantId, environment: where, at, id, seconds, limit })) ?? NONE;
}

const MOVE_ENDPOINT = statement({
  name: 'move the times of a sandbox webhook endpoint',
  text: `UPDATE webhook_endpoint SET rest_until = rest_until - make_interval(secs => $seconds::int),
           failing_since = failing_since - make_interval(secs => $seconds::int)
         WHERE ${SCOPE} AND failing_since > ${EARLIEST}`,
  parameters: { merchantId: uuid, environment, seconds: int4 },
  columns: {},
});

/** Makes two times of a merchant's webhook endpoint earlier: the beginning of its failures, and the end of its pause. */
export async function moveEndpoint(db: Queryable, { merchantId, environment: where }: Scope, seconds: number): Promise<void> {
  await MOVE_ENDPOINT.rows(db, { merchantId, environment: where, seconds });
}
