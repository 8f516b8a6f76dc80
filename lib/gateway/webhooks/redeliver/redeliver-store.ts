import { idRange, isRedelivered, REDELIVERED_STATES, type RedeliveredState, type Selection } from '@/lib/gateway/webhooks/redelivery-rules';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { webhookDelivery } from '@/lib/platform/db/generated/tables';
import { boolean, int4, nullable, pick, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/platform/db/statement';

interface Reopening {
  readonly scope: Scope;
  readonly deliveryId: string;
  readonly actor: string;
  readonly now: Date;
  /** True while the endpoint's circuit breaker is open. The delivery is then sent first, to find out whether the endpoint works again. */
  readonly asProbe: boolean;
}

const REOPEN = statement({
  name: 'send a delivery again',
  text: `UPDATE webhook_delivery d SET state = 'PENDING', trigger = 'manual', triggered_by = $actor, redelivery_id = NULL, settled_at = NULL,
           due_at = CASE WHEN $asProbe::boolean THEN least($now::timestamptz, (
             SELECT first.due_at FROM webhook_delivery first
             WHERE first.endpoint_id = d.endpoint_id AND first.state = 'PENDING' AND first.priority = 0 ORDER BY first.due_at LIMIT 1
           )) - interval '1 ms' ELSE $now END,
           ordered = ordered AND state = 'PENDING', priority = CASE WHEN $asProbe THEN 0 WHEN state = 'PENDING' THEN priority ELSE 1 END,
           failure_count = CASE state WHEN 'PENDING' THEN failure_count ELSE 0 END
         WHERE id = $deliveryId AND merchant_id = $merchantId AND environment = $environment
           AND state IN ('DELIVERED', 'EXHAUSTED', 'UNSENT', 'PENDING')
         RETURNING id`,
  parameters: {
    deliveryId: webhookDelivery.id,
    ...pick(webhookDelivery, 'merchantId environment'),
    actor: text,
    now: timestamptz,
    asProbe: boolean,
  },
  columns: { id: webhookDelivery.id },
});

/**
 * Makes a delivery due now. If the delivery has ended or was never sent, its retries start from the beginning, and it need not arrive in
 * the order of the bill's events any more. If it waits for a retry, its order and its number of failures stay as they are. Blocked
 * deliveries, and those that are being sent, do not change.
 * @returns whether the delivery was made due.
 */
export async function reopenDelivery(tx: Queryable, { scope, ...one }: Reopening): Promise<boolean> {
  const { merchantId, environment } = scope;
  return (await REOPEN.rows(tx, { ...one, merchantId, environment })).length > 0;
}

const RETURN_DELIVERIES = statement({
  name: 'return deliveries of a redelivery',
  text: `UPDATE webhook_delivery SET due_at = NULL, redelivery_id = NULL, trigger = 'automatic', triggered_by = NULL,
           failure_count = CASE WHEN delivered_at IS NULL THEN attempt_count ELSE 0 END,
           state = (CASE WHEN delivered_at IS NOT NULL THEN 'DELIVERED' WHEN attempt_count > 0 THEN 'EXHAUSTED' ELSE 'UNSENT' END)::delivery_state,
           settled_at = CASE WHEN delivered_at IS NOT NULL OR attempt_count > 0 THEN $now::timestamptz END
         WHERE id IN (
           SELECT id FROM webhook_delivery
           WHERE redelivery_id = $redeliveryId AND state = 'PENDING' AND NOT ordered ORDER BY id LIMIT $limit::int FOR UPDATE SKIP LOCKED)
         RETURNING id`,
  parameters: { redeliveryId: uuid, now: timestamptz, limit: int4 },
  columns: { id: webhookDelivery.id },
});

/**
 * Returns at most `limit` pending deliveries of a bulk redelivery to the state that they had before the bulk redelivery. Deliveries that
 * must arrive in the order of their bill's events are not included, because a bulk redelivery never makes them due.
 * @returns the number of deliveries whose state was restored.
 */
export async function returnDeliveries(tx: Queryable, redeliveryId: string, options: { now: Date; limit: number }): Promise<number> {
  return (await RETURN_DELIVERIES.rows(tx, { ...options, redeliveryId })).length;
}

/** The states are literals, not parameters, so that PostgreSQL can use the partial index `webhook_delivery_kept`. */
function inStates(states: readonly RedeliveredState[]): string {
  const named = REDELIVERED_STATES.filter((state) => states.includes(state)).map((state) => `'${state}'`);
  return named.length > 0 ? `state IN (${named.join(', ')})` : 'false';
}

const SELECTED =
  'merchant_id = $merchantId AND environment = $environment AND id > $after AND id < $before AND created_at >= $from AND created_at < $to';
const SELECTION = { ...pick(webhookDelivery, 'merchantId environment'), after: uuid, before: uuid, from: timestamptz, to: timestamptz };

const reopenOf = (states: readonly RedeliveredState[]) =>
  variant({
    name: 'send the next of a selection again',
    text: `WITH next AS (
             SELECT id FROM webhook_delivery WHERE ${SELECTED} AND ${inStates(states)} ORDER BY id LIMIT $limit::int
           ), locked AS (
             SELECT id FROM webhook_delivery WHERE id = ANY (ARRAY(SELECT id FROM next)) AND ${inStates(states)} ORDER BY id FOR NO KEY UPDATE
           ), reopened AS (
             UPDATE webhook_delivery d SET state = 'PENDING', due_at = $now, trigger = 'bulk', triggered_by = $actor, redelivery_id = $redeliveryId,
               settled_at = NULL, ordered = false, priority = 1, failure_count = 0
             FROM locked WHERE d.id = locked.id RETURNING d.id
           )
           SELECT (SELECT count(*) FROM next)::int AS found, (SELECT count(*) FROM reopened)::int AS reopened,
             (SELECT id FROM next ORDER BY id DESC LIMIT 1) AS last`,
    parameters: { ...SELECTION, limit: int4, now: timestamptz, actor: text, redeliveryId: uuid },
    columns: { found: int4, reopened: int4, last: nullable(uuid) },
  });

const countOf = (states: readonly RedeliveredState[]) =>
  variant({
    name: 'count a selection',
    text: `SELECT state, count(*)::int AS count, min(created_at) AS first, max(created_at) AS last FROM webhook_delivery
           WHERE ${SELECTED} AND ${inStates(states)} GROUP BY state ORDER BY state`,
    parameters: SELECTION,
    // `first` and `last`: when the oldest and the newest delivery were created.
    columns: { state: webhookDelivery.state, count: int4, first: timestamptz, last: timestamptz },
  });

const SUBSETS = Array.from({ length: 2 ** REDELIVERED_STATES.length }, (_, bits) =>
  REDELIVERED_STATES.filter((_, index) => (bits >> index) % 2 === 1),
);
registerVariants(SUBSETS.flatMap((states) => [reopenOf(states), countOf(states)]));

interface Batch {
  readonly scope: Scope;
  readonly selection: Selection;
  readonly redeliveryId: string;
  readonly actor: string;
  /** The last delivery of the previous batch. */
  readonly cursor: string | null;
  readonly limit: number;
  readonly now: Date;
}

/**
 * Makes the next deliveries of a selection due. Locks the deliveries in the order of their ids. Skips a delivery if somebody else has
 * changed its state before it was locked.
 * @returns how many deliveries were found, how many of them were made due, and the id of the last found one.
 */
export async function reopenNext(
  tx: Queryable,
  { scope: { merchantId, environment }, selection, redeliveryId, actor, cursor, limit, now }: Batch,
): Promise<{ readonly found: number; readonly reopened: number; readonly last: string | null }> {
  const { from, to, states } = selection;
  const { after, before } = idRange(selection);
  const selected = { merchantId, environment, after: cursor ?? after, before, from, to };
  const batch = await reopenOf(states).first(tx, { ...selected, limit, now, actor, redeliveryId });
  return batch ?? { found: 0, reopened: 0, last: null };
}

export type SelectedCount = Omit<Awaited<ReturnType<ReturnType<typeof countOf>['rows']>>[number], 'state'> & {
  readonly state: RedeliveredState;
};

/** Returns the number of deliveries in a selection, by state. */
export async function countSelected(db: Queryable, { merchantId, environment }: Scope, selection: Selection): Promise<SelectedCount[]> {
  const { from, to, states } = selection;
  const { after, before } = idRange(selection);
  const rows = await countOf(states).rows(db, { merchantId, environment, after, before, from, to });
  return rows.flatMap(({ state, ...counted }) => (isRedelivered(state) ? [{ ...counted, state }] : []));
}
