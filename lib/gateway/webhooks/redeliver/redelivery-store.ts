import { isRedelivered, type Selection } from '@/lib/gateway/webhooks/redelivery-rules';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { webhookDelivery, webhookRedelivery } from '@/lib/platform/db/generated/tables';
import { array, int4, neverNull, pick, select, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

const OWN_TYPES = {
  ...pick(webhookRedelivery, 'id merchantId environment perSecond state total started cursor requestedBy createdAt completedAt'),
  from: webhookRedelivery.periodFrom,
  to: webhookRedelivery.periodTo,
};
const COLUMNS = `${select(OWN_TYPES)}, states::text[] AS states`;
const COLUMN_TYPES = { ...OWN_TYPES, states: array(text) };

type NewRedelivery = Omit<Redelivery, 'state' | 'started' | 'cursor' | 'completedAt'>;

/** Inserts a bulk redelivery that is due at once. */
export async function insertRedelivery({ prisma }: Connection, run: NewRedelivery): Promise<void> {
  const { from, to, states, ...given } = run;
  const data = { ...given, periodFrom: from, periodTo: to, states: [...states], dueAt: run.createdAt };
  await prisma.webhookRedelivery.createMany({ data });
}

const LOCK_DUE = statement({
  name: 'lock-due-redelivery',
  text: `SELECT ${COLUMNS} FROM webhook_redelivery WHERE state = 'RUNNING' AND due_at <= $now ORDER BY due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
  parameters: { now: timestamptz },
  columns: COLUMN_TYPES,
  prepared: true,
});

/** A bulk redelivery: it sends a merchant's deliveries of a period again. */
export type Redelivery = Omit<Awaited<ReturnType<typeof LOCK_DUE.rows>>[number], 'states'> & Selection;

function readRun(row: Awaited<ReturnType<typeof LOCK_DUE.rows>>[number]): Redelivery {
  return { ...row, states: row.states.filter(isRedelivered) };
}

/** Locks and returns a due bulk redelivery that no other worker has locked; undefined if there is none. */
export async function lockDueRedelivery(tx: Queryable, now: Date): Promise<Redelivery | undefined> {
  const row = await LOCK_DUE.first(tx, { now });
  return row && readRun(row);
}

const LOCK = statement({
  name: 'lock a redelivery',
  text: `SELECT ${COLUMNS} FROM webhook_redelivery WHERE id = $id AND merchant_id = $merchantId AND environment = $environment FOR NO KEY UPDATE`,
  parameters: pick(webhookRedelivery, 'id merchantId environment'),
  columns: COLUMN_TYPES,
});

export async function lockRedelivery(tx: Queryable, scope: Scope, id: string): Promise<Redelivery | undefined> {
  const row = await LOCK.first(tx, { ...scope, id });
  return row && readRun(row);
}

const LOCK_STATES = statement({
  name: 'lock the states of redeliveries',
  text: 'SELECT id, state FROM webhook_redelivery WHERE id = ANY ($ids) ORDER BY id FOR SHARE',
  parameters: { ids: array(webhookRedelivery.id) },
  columns: pick(webhookRedelivery, 'id state'),
});

/**
 * Locks the bulk redeliveries `ids` until the transaction ends, and returns the ids of those that are already cancelled. The lock makes a
 * concurrent cancellation wait for the end of this transaction. So the cancellation also finds the deliveries that this transaction makes
 * pending.
 */
export async function lockCancelled(tx: Queryable, ids: readonly string[]): Promise<string[]> {
  const runs = await LOCK_STATES.rows(tx, { ids });
  return runs.flatMap(({ id, state }) => (state === 'CANCELLED' ? [id] : []));
}

const ADVANCE = statement({
  name: 'advance a redelivery',
  text: 'UPDATE webhook_redelivery SET started = started + $started, cursor = coalesce($cursor, cursor), due_at = $dueAt WHERE id = $id',
  parameters: { ...pick(webhookRedelivery, 'id started cursor'), dueAt: timestamptz },
});

interface Advance {
  readonly started: number;
  readonly cursor: string | null;
  readonly dueAt: Date;
}

/** Records the progress of a bulk redelivery and when its next step is due. */
export async function advanceRedelivery(tx: Queryable, id: string, advance: Advance): Promise<void> {
  await ADVANCE.rows(tx, { ...advance, id });
}

const END = statement({
  name: 'end a redelivery',
  text: 'UPDATE webhook_redelivery SET state = $state, due_at = NULL, completed_at = $now WHERE id = $id',
  parameters: { ...pick(webhookRedelivery, 'id state'), now: timestamptz },
});

export async function endRedelivery(tx: Queryable, id: string, state: 'COMPLETED' | 'CANCELLED', now: Date): Promise<void> {
  await END.rows(tx, { id, state, now });
}

/** Returns a merchant's bulk redeliveries, newest first. @param options.id only the one with this id. */
export async function listRedeliveries(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  { id, limit }: { readonly id: string | null; readonly limit: number },
): Promise<Redelivery[]> {
  const where = { merchantId, environment, ...(id !== null && { id }) };
  const rows = await prisma.webhookRedelivery.findMany({ where, omit: { dueAt: true }, orderBy: { id: 'desc' }, take: limit });
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
  columns: { id: neverNull(webhookDelivery.redeliveryId), waiting: int4, delivered: int4, failed: int4 },
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
