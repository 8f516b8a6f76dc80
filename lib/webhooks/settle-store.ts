import { columnsOf } from '@/lib/core/columns-of';
import type { Queryable } from '@/lib/db/database';
import { array, boolean, int4, nullable, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { unnestFew } from '@/lib/db/unnest';
import { deliveryState } from './sql-types';

/** The result of a delivery attempt, for the row of the delivery. */
export interface Move {
  readonly id: string;
  readonly leaseToken: number;
  readonly state: 'PENDING' | 'DELIVERED' | 'EXHAUSTED';
  readonly delivered: boolean;
  readonly startedAt: Date;
  /** The time of the next attempt; null unless the state is PENDING. */
  readonly dueAt: Date | null;
}

const MOVE_ROW = {
  id: array(uuid),
  leaseToken: array(int4),
  state: array(deliveryState),
  delivered: array(boolean),
  startedAt: array(timestamptz),
  dueAt: array(nullable(timestamptz)),
};
const MOVE = statement({
  name: 'move-deliveries',
  text: `UPDATE webhook_delivery d SET state = m.state, due_at = m.due_at, lease_until = NULL, attempt_count = d.attempt_count + 1,
           failure_count = CASE WHEN m.delivered THEN 0 ELSE d.failure_count + 1 END, priority = 1, last_attempt_at = m.started_at,
           trigger = CASE WHEN m.state = 'PENDING' THEN 'automatic' ELSE d.trigger END, triggered_by = CASE WHEN m.state <> 'PENDING' THEN d.triggered_by END,
           delivered_at = CASE WHEN m.delivered THEN coalesce(d.delivered_at, $now) ELSE d.delivered_at END,
           settled_at = CASE WHEN m.state <> 'PENDING' THEN $now::timestamptz END
         FROM ${unnestFew('$id::uuid[]', '$leaseToken::int[]', '$state::delivery_state[]', '$delivered::boolean[]', '$startedAt::timestamptz[]', '$dueAt::timestamptz[]')}
           AS m(id, lease_token, state, delivered, started_at, due_at)
         WHERE d.id = m.id AND d.lease_token = m.lease_token AND d.state = 'SENDING' RETURNING d.id`,
  parameters: { ...MOVE_ROW, now: timestamptz },
  columns: { id: uuid },
  prepared: true,
});

/**
 * Changes the state of the deliveries whose lease this worker still holds.
 * @returns their ids. Another worker has claimed the other deliveries.
 */
export async function moveDeliveries(tx: Queryable, moves: readonly Move[], now: Date): Promise<Set<string>> {
  const rows = await MOVE.rows(tx, { ...columnsOf(moves, MOVE_ROW), now });
  return new Set(rows.map(({ id }) => id));
}

const BILL_ROW = { endpointId: array(uuid), billId: array(uuid) };
const UNBLOCK = statement({
  name: 'unblock-deliveries',
  text: `UPDATE webhook_delivery d SET state = 'PENDING', due_at = $now
         FROM ${unnestFew('$endpointId::uuid[]', '$billId::uuid[]')} AS s(endpoint_id, bill_id)
         CROSS JOIN LATERAL (
           SELECT b.id FROM webhook_delivery b WHERE b.bill_id = s.bill_id AND b.endpoint_id = s.endpoint_id AND b.state = 'BLOCKED'
           ORDER BY b.event_number LIMIT 1) next
         WHERE d.id = next.id`,
  parameters: { ...BILL_ROW, now: timestamptz },
  columns: {},
  prepared: true,
});

/**
 * Makes the next blocked delivery of each bill due. A delivery is blocked if an earlier delivery of its bill must arrive first. The
 * caller must lock the bills, as for `insertDeliveries`.
 */
export async function unblockNext(
  tx: Queryable,
  settled: readonly { readonly endpointId: string; readonly billId: string }[],
  now: Date,
): Promise<void> {
  await UNBLOCK.rows(tx, { ...columnsOf(settled, BILL_ROW), now });
}
