import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { registerVariants, variant } from '@/lib/db/statement';
import { idRange, isRedelivered, REDELIVERED_STATES, type RedeliveredState, type Selection } from '@/lib/webhooks/redelivery-rules';
import { deliveryState } from '@/lib/webhooks/sql-types';

/** The states are literals, not parameters, so that PostgreSQL can use the partial index `webhook_delivery_kept`. */
function inStates(states: readonly RedeliveredState[]): string {
  const named = REDELIVERED_STATES.filter((state) => states.includes(state)).map((state) => `'${state}'`);
  return named.length > 0 ? `state IN (${named.join(', ')})` : 'false';
}

const SELECTED =
  'merchant_id = $merchantId AND environment = $environment AND id > $after AND id < $before AND created_at >= $from AND created_at < $to';
const SELECTION = { merchantId: uuid, environment, after: uuid, before: uuid, from: timestamptz, to: timestamptz };

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
    columns: { state: deliveryState, count: int4, first: timestamptz, last: timestamptz },
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
