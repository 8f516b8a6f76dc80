import type { Queryable } from '@/lib/db/database';
import { int4, nullable, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

const HASTEN = statement({
  name: 'hasten deliveries',
  text: `UPDATE webhook_delivery SET due_at = $now WHERE id IN (
           SELECT id FROM webhook_delivery
           WHERE endpoint_id = $endpointId AND state = 'PENDING' AND priority = 1 AND due_at > $now AND last_attempt_at < $before
           ORDER BY due_at, id LIMIT $limit::int FOR UPDATE SKIP LOCKED)
         RETURNING id`,
  parameters: { endpointId: uuid, before: timestamptz, now: timestamptz, limit: int4 },
  columns: { id: uuid },
});

/**
 * Makes due what failed before an endpoint was well again and waits for its time, at most so many.
 * @returns how many there were.
 */
export async function hastenDeliveries(
  tx: Queryable,
  options: { endpointId: string; before: Date; now: Date; limit: number },
): Promise<number> {
  return (await HASTEN.rows(tx, options)).length;
}

const firstDue = (priority: 0 | 1) =>
  `(SELECT due_at FROM webhook_delivery WHERE endpoint_id = $endpointId AND state = 'PENDING' AND priority = ${priority} ORDER BY due_at LIMIT 1)`;

const NEXT_DUE = statement({
  name: 'find when an endpoint is next owed a delivery',
  text: `SELECT least(${firstDue(0)}, ${firstDue(1)}) AS next`,
  parameters: { endpointId: uuid },
  columns: { next: nullable(timestamptz) },
});

/** @returns when the first delivery that is owed to an endpoint is due; null when none waits to be sent. */
export async function findNextDue(tx: Queryable, endpointId: string): Promise<Date | null> {
  const row = await NEXT_DUE.first(tx, { endpointId });
  return row?.next ?? null;
}
