import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, int4, neverNull, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { isRedelivered } from '@/lib/webhooks/redelivery-rules';
import type { Redelivery } from './redelivery-store';

/** The fields of a Redelivery for Prisma. `periodFrom` and `periodTo` become `from` and `to`. */
const SELECT = {
  id: true,
  merchantId: true,
  environment: true,
  periodFrom: true,
  periodTo: true,
  states: true,
  perSecond: true,
  state: true,
  total: true,
  started: true,
  cursor: true,
  requestedBy: true,
  createdAt: true,
  completedAt: true,
} as const;

/** Returns a merchant's bulk redeliveries, newest first. @param options.id only the one with this id. */
export async function listRedeliveries(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  { id, limit }: { readonly id: string | null; readonly limit: number },
): Promise<Redelivery[]> {
  const where = { merchantId, environment, ...(id !== null && { id }) };
  const rows = await prisma.webhookRedelivery.findMany({ where, select: SELECT, orderBy: { id: 'desc' }, take: limit });
  return rows.map(({ periodFrom, periodTo, states, ...row }) => ({
    ...row,
    from: periodFrom,
    to: periodTo,
    states: states.filter(isRedelivered),
  }));
}

/** Returns the scope of a bulk redelivery, for the operator, who identifies it only by its id. */
export async function findRedeliveryScope({ prisma }: Connection, id: string): Promise<Scope | undefined> {
  const select = { merchantId: true, environment: true } as const;
  return (await prisma.webhookRedelivery.findUnique({ where: { id }, select })) ?? undefined;
}

const COUNT_OUTCOMES = statement({
  name: 'count the outcomes of redeliveries',
  text: `SELECT redelivery_id AS id, count(*) FILTER (WHERE state IN ('PENDING', 'SENDING'))::int AS waiting,
           count(*) FILTER (WHERE state = 'DELIVERED' AND failure_count = 0)::int AS delivered,
           count(*) FILTER (WHERE state IN ('DELIVERED', 'EXHAUSTED') AND failure_count > 0)::int AS failed
         FROM webhook_delivery WHERE redelivery_id = ANY ($ids) GROUP BY redelivery_id`,
  parameters: { ids: array(uuid) },
  columns: { id: neverNull(uuid), waiting: int4, delivered: int4, failed: int4 },
});

/**
 * The results of the deliveries that a bulk redelivery made due. Deliveries that were returned to their earlier state, or that somebody
 * else sent again, do not count.
 */
export type Outcomes = Omit<Awaited<ReturnType<typeof COUNT_OUTCOMES.rows>>[number], 'id'>;

/** Returns the results of bulk redeliveries by id. A bulk redelivery without deliveries is missing in the map. */
export async function countOutcomes(db: Queryable, ids: readonly string[]): Promise<Map<string, Outcomes>> {
  const rows = await COUNT_OUTCOMES.rows(db, { ids });
  return new Map(rows.map(({ id, ...outcomes }) => [id, outcomes]));
}
