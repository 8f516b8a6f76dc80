import type { Queryable } from '@/lib/db/database';
import { int4, nullable, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

const MAKE_DUE = statement({
  name: 'make deliveries due',
  text: `UPDATE webhook_delivery SET due_at = $now WHERE id IN (
           SELECT id FROM webhook_delivery
           WHERE endpoint_id = $endpointId AND state = 'PENDING' AND priority = 1 AND due_at > $now AND last_attempt_at < $before
           ORDER BY due_at, id LIMIT $limit::int FOR UPDATE SKIP LOCKED)
         RETURNING id`,
  parameters: { endpointId: uuid, before: timestamptz, now: timestamptz, limit: int4 },
  columns: { id: uuid },
});

/**
 * Makes waiting retries of an endpoint due now.
 * @param options.before only deliveries whose last attempt started before this time are made due.
 * @param options.limit the maximum number of deliveries.
 * @returns the number of deliveries that were made due.
 */
export async function makeDeliveriesDue(
  tx: Queryable,
  options: { endpointId: string; before: Date; now: Date; limit: number },
): Promise<number> {
  return (await MAKE_DUE.rows(tx, options)).length;
}

const firstDue = (priority: 0 | 1) =>
  `(SELECT due_at FROM webhook_delivery WHERE endpoint_id = $endpointId AND state = 'PENDING' AND priority = ${priority} ORDER BY due_at LIMIT 1)`;

const NEXT_DUE = statement({
  name: 'find when the next delivery of an endpoint is due',
  text: `SELECT least(${firstDue(0)}, ${firstDue(1)}) AS next`,
  parameters: { endpointId: uuid },
  columns: { next: nullable(timestamptz) },
});

/** Returns when the next pending delivery of an endpoint is due, or null if none is pending. */
export async function findNextDue(tx: Queryable, endpointId: string): Promise<Date | null> {
  const row = await NEXT_DUE.first(tx, { endpointId });
  return row?.next ?? null;
}
