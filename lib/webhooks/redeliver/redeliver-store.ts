import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { DeliveryState } from '@/lib/webhooks/log/listing-store';
import { idRange, REDELIVERED_STATES, type RedeliveredState, type Selection } from '@/lib/webhooks/redelivery-rules';

interface One {
  readonly scope: Scope;
  readonly deliveryId: string;
  readonly actor: string;
  readonly now: Date;
  /** Whether it is to come before all else that its endpoint is owed. */
  readonly asProbe: boolean;
}

/**
 * Has one delivery sent now. What has settled, or was never sent, goes again from the beginning and outside of its bill's order;
 * what waits for its time keeps its place and its count. One that a worker has meanwhile is not touched.
 * @returns whether there was one to send.
 */
export async function reopenDelivery(tx: Queryable, { scope, deliveryId, actor, now, asProbe }: One): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `UPDATE webhook_delivery d SET state = 'PENDING', trigger = 'manual', triggered_by = $4, redelivery_id = NULL, settled_at = NULL,
               due_at = CASE WHEN $6::boolean THEN least($5::timestamptz, (
                 SELECT first.due_at FROM webhook_delivery first
                 WHERE first.endpoint_id = d.endpoint_id AND first.state = 'PENDING' AND first.priority = 0 ORDER BY first.due_at LIMIT 1
               )) - interval '1 ms' ELSE $5 END,
               ordered = ordered AND state = 'PENDING', priority = CASE WHEN $6 THEN 0 WHEN state = 'PENDING' THEN priority ELSE 1 END,
               failure_count = CASE state WHEN 'PENDING' THEN failure_count ELSE 0 END
             WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND state IN ('DELIVERED', 'EXHAUSTED', 'UNSENT', 'PENDING') RETURNING id`,
    },
    [deliveryId, scope.merchantId, scope.environment, actor, now, asProbe],
  );
  return rows.length > 0;
}

/** @returns the state of one delivery; undefined when the merchant has none of that id. */
export async function findDeliveryState(tx: Queryable, scope: Scope, deliveryId: string): Promise<DeliveryState | undefined> {
  const [row] = await tx.query<{ state: DeliveryState }>(
    { text: 'SELECT state FROM webhook_delivery WHERE id = $1 AND merchant_id = $2 AND environment = $3' },
    [deliveryId, scope.merchantId, scope.environment],
  );
  return row?.state;
}

interface Batch {
  readonly scope: Scope;
  readonly selection: Selection;
  readonly redeliveryId: string;
  readonly actor: string;
  /** The last one of the batch before. */
  readonly cursor: string | null;
  readonly limit: number;
  readonly now: Date;
}

/**
 * Sends the next deliveries of a selection again. What somebody else has changed meanwhile is passed over.
 * Locks in the order of the ids.
 * @returns how many were looked at, how many of them are set going, and the last one.
 */
export async function reopenNext(
  tx: Queryable,
  { scope, selection, redeliveryId, actor, cursor, limit, now }: Batch,
): Promise<{ readonly found: number; readonly reopened: number; readonly last: string | null }> {
  const { after, before } = idRange(selection);
  const states = inStates(selection.states);
  const [batch] = await tx.query<{ found: number; reopened: number; last: string | null }>(
    {
      text: `WITH next AS (
               SELECT id FROM webhook_delivery
               WHERE merchant_id = $1 AND environment = $2 AND id > $3 AND id < $4 AND created_at >= $5 AND created_at < $6 AND ${states}
               ORDER BY id LIMIT $7
             ), locked AS (
               SELECT id FROM webhook_delivery WHERE id = ANY (ARRAY(SELECT id FROM next)) AND ${states} ORDER BY id FOR NO KEY UPDATE
             ), reopened AS (
               UPDATE webhook_delivery d SET state = 'PENDING', due_at = $8, trigger = 'bulk', triggered_by = $9, redelivery_id = $10, settled_at = NULL,
                 ordered = false, priority = 1, failure_count = 0
               FROM locked WHERE d.id = locked.id RETURNING d.id
             )
             SELECT (SELECT count(*) FROM next)::int AS found, (SELECT count(*) FROM reopened)::int AS reopened,
               (SELECT id FROM next ORDER BY id DESC LIMIT 1) AS last`,
    },
    [scope.merchantId, scope.environment, cursor ?? after, before, selection.from, selection.to, limit, now, actor, redeliveryId],
  );
  return batch ?? { found: 0, reopened: 0, last: null };
}

export interface SelectedCount {
  readonly state: RedeliveredState;
  readonly count: number;
  /** When the first and the last of them were created. */
  readonly first: Date;
  readonly last: Date;
}

/** @returns how many a selection has by now, by state. */
export async function countSelected(db: Queryable, scope: Scope, selection: Selection): Promise<SelectedCount[]> {
  const { after, before } = idRange(selection);
  return db.query<SelectedCount>(
    {
      text: `SELECT state, count(*)::int AS count, min(created_at) AS first, max(created_at) AS last FROM webhook_delivery
             WHERE merchant_id = $1 AND environment = $2 AND id > $3 AND id < $4 AND created_at >= $5 AND created_at < $6 AND ${inStates(selection.states)}
             GROUP BY state ORDER BY state`,
    },
    [scope.merchantId, scope.environment, after, before, selection.from, selection.to],
  );
}

/** Written out, not passed in: only so does PostgreSQL see that the index of what is kept has all of them. */
function inStates(states: readonly RedeliveredState[]): string {
  const named = REDELIVERED_STATES.filter((state) => states.includes(state)).map((state) => `'${state}'`);
  return named.length > 0 ? `state IN (${named.join(', ')})` : 'false';
}

/**
 * Takes back up to so many of what a run has set going and what waits to be sent: each is again what it was before. Those that
 * keep their bill's order are not a run's.
 * @returns how many there were.
 */
export async function takeBack(tx: Queryable, redeliveryId: string, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const rows = await tx.query(
    {
      text: `UPDATE webhook_delivery SET due_at = NULL, redelivery_id = NULL, trigger = 'automatic', triggered_by = NULL,
               failure_count = CASE WHEN delivered_at IS NULL THEN attempt_count ELSE 0 END,
               state = (CASE WHEN delivered_at IS NOT NULL THEN 'DELIVERED' WHEN attempt_count > 0 THEN 'EXHAUSTED' ELSE 'UNSENT' END)::delivery_state,
               settled_at = CASE WHEN delivered_at IS NOT NULL OR attempt_count > 0 THEN $2::timestamptz END
             WHERE id IN (
               SELECT id FROM webhook_delivery WHERE redelivery_id = $1 AND state = 'PENDING' AND NOT ordered ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
             RETURNING id`,
    },
    [redeliveryId, now, limit],
  );
  return rows.length;
}
