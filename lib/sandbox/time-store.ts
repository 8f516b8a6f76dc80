import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, environment, int4, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

const SCOPE = 'merchant_id = $merchantId AND environment = $environment';
const SCOPE_TYPES = { merchantId: uuid, environment };

/** Times before this one do not move any more. A due date cannot be earlier, and PostgreSQL has an earliest time. */
const EARLIEST = "'2000-01-01'";

const MOVE_BILLS = statement({
  name: 'move the times of sandbox bills',
  // A due date is the end of a day, so it moves by whole days. Bills are locked in the order of their ids, which prevents deadlocks.
  text: `
WITH own AS MATERIALIZED (
  SELECT id FROM bill
  WHERE ${SCOPE} AND status <> 'FULLY_PAID' AND closed_at IS NULL AND least(expires_at, due_at) > ${EARLIEST}
    AND (expires_at IS NOT NULL OR $seconds::int >= 86400)
  ORDER BY id FOR NO KEY UPDATE
), moved AS (
  UPDATE bill b SET version = version + 1, expires_at = expires_at - make_interval(secs => $seconds::int),
    due_at = due_at - make_interval(days => $seconds::int / 86400)
  FROM own WHERE b.id = own.id
  RETURNING 1
) SELECT count(*)::int AS count FROM moved`,
  parameters: { ...SCOPE_TYPES, seconds: int4 },
  columns: { count: int4 },
});

/** Brings the expiry and the due date of a merchant's open bills forward. Returns how many there are. */
export async function moveBills(db: Queryable, { merchantId, environment: where }: Scope, seconds: number): Promise<number> {
  return (await MOVE_BILLS.first(db, { merchantId, environment: where, seconds }))?.count ?? 0;
}

const MOVE_PROMPTS = statement({
  name: 'move the times of sandbox prompts',
  text: `
WITH own AS (
  SELECT id, our_reference FROM push_attempt WHERE id >= $oldest AND ${SCOPE}
), steps AS (
  UPDATE sandbox_step s SET due_at = s.due_at - make_interval(secs => $seconds::int) FROM own
  WHERE s.reference = own.our_reference AND s.due_at > $now RETURNING s.reference
), queries AS (
  UPDATE push_attempt a SET due_at = a.due_at - make_interval(secs => $seconds::int) FROM own
  WHERE a.id = own.id AND a.due_at > $now AND a.lease_until IS NULL
)
SELECT count(DISTINCT reference)::int AS count FROM steps`,
  parameters: { ...SCOPE_TYPES, oldest: uuid, now: timestamptz, seconds: int4 },
  columns: { count: int4 },
});

/**
 * Lets the simulated phones of a merchant act sooner. Returns how many prompts are affected.
 * @param options.oldest the lowest id of an attempt whose phone may not have finished.
 */
export async function movePrompts(
  db: Queryable,
  { merchantId, environment: where }: Scope,
  options: { readonly oldest: string; readonly now: Date; readonly seconds: number },
): Promise<number> {
  return (await MOVE_PROMPTS.first(db, { merchantId, environment: where, ...options }))?.count ?? 0;
}

const MOVE_WEBHOOKS = statement({
  name: 'move the times of sandbox webhooks',
  text: `
WITH moved AS (
  UPDATE webhook_delivery d SET due_at = d.due_at - make_interval(secs => $seconds::int)
  FROM webhook_endpoint e WHERE e.merchant_id = $merchantId AND e.environment = $environment AND d.endpoint_id = e.id AND d.state = 'PENDING'
    AND d.due_at > ${EARLIEST}
  RETURNING 1
) SELECT count(*)::int AS count FROM moved`,
  parameters: { ...SCOPE_TYPES, seconds: int4 },
  columns: { count: int4 },
});

const MOVE_ENDPOINT = statement({
  name: 'move the times of a sandbox webhook endpoint',
  text: `UPDATE webhook_endpoint SET rest_until = rest_until - make_interval(secs => $seconds::int),
           failing_since = failing_since - make_interval(secs => $seconds::int)
         WHERE ${SCOPE} AND failing_since > ${EARLIEST}`,
  parameters: { ...SCOPE_TYPES, seconds: int4 },
  columns: {},
});

/** Lets the next attempts of a merchant's webhooks come sooner, and failures last longer. Returns how many webhooks wait. */
export async function moveWebhooks(db: Queryable, { merchantId, environment: where }: Scope, seconds: number): Promise<number> {
  const scope = { merchantId, environment: where, seconds };
  await MOVE_ENDPOINT.rows(db, scope);
  return (await MOVE_WEBHOOKS.first(db, scope))?.count ?? 0;
}

const SET_DELAY = statement({
  name: 'set the delays of a sandbox',
  text: `INSERT INTO sandbox_settings (merchant_id, environment, delay_percent) VALUES ($merchantId, $environment, $percent)
         ON CONFLICT (merchant_id, environment) DO UPDATE SET delay_percent = excluded.delay_percent`,
  parameters: { ...SCOPE_TYPES, percent: int4 },
  columns: {},
});

export async function setDelay(db: Queryable, { merchantId, environment: where }: Scope, percent: number): Promise<void> {
  await SET_DELAY.rows(db, { merchantId, environment: where, percent });
}

const LIST_DELAYS = statement({
  name: 'list the delays of sandboxes',
  text: `SELECT merchant_id AS "merchantId", delay_percent AS percent FROM sandbox_settings
         WHERE merchant_id = ANY($merchantIds::uuid[]) AND environment = 'sandbox' AND delay_percent <> 100`,
  parameters: { merchantIds: array(uuid) },
  columns: { merchantId: uuid, percent: int4 },
});

/** Returns the factors by which the delays of merchants' sandboxes are multiplied. A merchant without one has the usual delays. */
export async function findDelayFactors(db: Queryable, merchantIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (merchantIds.length === 0) return new Map();
  const rows = await LIST_DELAYS.rows(db, { merchantIds });
  return new Map(rows.map(({ merchantId, percent }) => [merchantId, percent / 100]));
}

/** Returns the delays of a merchant's sandbox in percent of the usual time. */
export async function findDelay(db: Queryable, { merchantId }: Scope): Promise<number> {
  return Math.round(((await findDelayFactors(db, [merchantId])).get(merchantId) ?? 1) * 100);
}
