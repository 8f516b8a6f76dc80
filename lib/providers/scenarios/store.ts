import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { pushAttempt, sandboxSettings, webhookEndpoint } from '@/lib/platform/db/generated/tables';
import { array, int4, nullable, pick, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { isPaymentScenario, type PaymentScenario } from './scenarios';
import { oldestPrompt } from './time-schema';

const LIST_DELAYS = statement({
  name: 'list the delays of sandboxes',
  text: `SELECT merchant_id AS "merchantId", delay_percent AS "delayPercent" FROM sandbox_settings
         WHERE merchant_id = ANY($merchantIds::uuid[]) AND environment = 'sandbox' AND delay_percent <> 100`,
  parameters: { merchantIds: array(sandboxSettings.merchantId) },
  columns: pick(sandboxSettings, 'merchantId delayPercent'),
});

/** Returns the factors by which the delays of merchants' sandboxes are multiplied. A merchant without a factor has the usual delays. */
export async function findDelayFactors(db: Queryable, merchantIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (merchantIds.length === 0) return new Map();
  const rows = await LIST_DELAYS.rows(db, { merchantIds });
  return new Map(rows.map(({ merchantId, delayPercent }) => [merchantId, delayPercent / 100]));
}

/** Returns the delays of a merchant's sandbox in percent of the usual time. */
export async function findDelay(db: Queryable, { merchantId }: Scope): Promise<number> {
  return Math.round(((await findDelayFactors(db, [merchantId])).get(merchantId) ?? 1) * 100);
}

/** Returns the scenario of a bill; undefined if none was set. */
export async function findScenario(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  billId: string,
): Promise<PaymentScenario | undefined> {
  const where = { merchantId_environment_billId: { merchantId, environment, billId } };
  const found = await prisma.sandboxScenario.findUnique({ where, select: { scenario: true } });
  if (!found) return undefined;
  if (!isPaymentScenario(found.scenario)) throw new Error(`unknown scenario ${found.scenario}`);
  return found.scenario;
}

/** For each kind, the time at which something of this kind happens next in a sandbox; null if nothing of this kind is to come. */
export interface UpcomingTimes {
  /** When the next simulated phone answers, or its prompt expires. */
  readonly phones: Date | null;
  readonly webhooks: Date | null;
  readonly expiry: Date | null;
  readonly dueDates: Date | null;
}

const OPEN_BILLS =
  "FROM bill WHERE merchant_id = $merchantId AND environment = $environment AND status <> 'FULLY_PAID' AND closed_at IS NULL";

const FIND_UPCOMING = statement({
  name: 'find what is to come in a sandbox',
  text: `
SELECT
  (SELECT min(s.due_at) FROM push_attempt a JOIN sandbox_step s ON s.reference = a.our_reference
   WHERE a.id >= $oldest AND a.merchant_id = $merchantId AND a.environment = $environment AND s.due_at > $now) AS phones,
  (SELECT min(greatest(d.due_at, e.rest_until)) FROM webhook_endpoint e JOIN webhook_delivery d ON d.endpoint_id = e.id
   WHERE e.merchant_id = $merchantId AND e.environment = $environment AND e.status = 'active' AND d.state = 'PENDING'
     AND greatest(d.due_at, e.rest_until) > $now) AS webhooks,
  (SELECT min(expires_at) ${OPEN_BILLS} AND expires_at > $now) AS expiry,
  (SELECT min(due_at) ${OPEN_BILLS} AND due_at > $now) AS "dueDates"`,
  parameters: { ...pick(pushAttempt, 'merchantId environment'), oldest: uuid, now: timestamptz },
  columns: {
    phones: nullable(timestamptz),
    webhooks: nullable(timestamptz),
    expiry: nullable(timestamptz),
    dueDates: nullable(timestamptz),
  },
});

/**
 * Returns when these things happen next in a merchant's sandbox: a simulated phone answers, a webhook is due, a bill expires, the due date
 * of a bill comes.
 */
export async function findUpcoming(db: Queryable, scope: Scope, now: Date): Promise<UpcomingTimes> {
  const found = await FIND_UPCOMING.first(db, { ...scope, oldest: oldestPrompt(now), now });
  return found ?? { phones: null, webhooks: null, expiry: null, dueDates: null };
}

const SCOPE = 'merchant_id = $merchantId AND environment = $environment';
const BATCH = { ...pick(sandboxSettings, 'merchantId environment'), id: pushAttempt.id, seconds: int4, limit: int4 };

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
), reversals AS (
  UPDATE sandbox_refund f SET ends_at = f.ends_at - make_interval(secs => $seconds::int) FROM own
  WHERE f.prompt_reference = own.our_reference AND f.ends_at > $now
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
export async function movePrompts(db: Queryable, scope: Scope, batch: Batch): Promise<MovedBatch> {
  const row = await MOVE_PROMPTS.first(db, { ...scope, ...batch });
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
export async function moveBills(db: Queryable, scope: Scope, batch: Batch): Promise<MovedBatch> {
  const row = await MOVE_BILLS.first(db, { ...scope, ...batch });
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
export async function moveWebhooks(db: Queryable, scope: Scope, batch: Batch): Promise<MovedBatch> {
  return (await MOVE_WEBHOOKS.first(db, { ...scope, ...batch })) ?? NONE;
}

const MOVE_ENDPOINT = statement({
  name: 'move the times of a sandbox webhook endpoint',
  text: `UPDATE webhook_endpoint SET rest_until = rest_until - make_interval(secs => $seconds::int),
           failing_since = failing_since - make_interval(secs => $seconds::int)
         WHERE ${SCOPE} AND failing_since > ${EARLIEST}`,
  parameters: { ...pick(webhookEndpoint, 'merchantId environment'), seconds: int4 },
});

/** Makes two times of a merchant's webhook endpoint earlier: the beginning of its failures, and the end of its pause. */
export async function moveEndpoint(db: Queryable, scope: Scope, seconds: number): Promise<void> {
  await MOVE_ENDPOINT.rows(db, { ...scope, seconds });
}
