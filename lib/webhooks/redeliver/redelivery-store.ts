import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, enumType, environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { isRedelivered, REDELIVERY_STATES, type Selection } from '@/lib/webhooks/redelivery-rules';

const redeliveryState = enumType('redelivery_state', REDELIVERY_STATES);
const COLUMNS = `id, merchant_id AS "merchantId", environment, period_from AS "from", period_to AS "to", states::text[] AS states, per_second AS "perSecond",
  state, total, started, cursor, requested_by AS "requestedBy", created_at AS "createdAt", completed_at AS "completedAt"`;
const COLUMN_TYPES = {
  id: uuid,
  merchantId: uuid,
  environment,
  from: timestamptz,
  to: timestamptz,
  states: array(text),
  perSecond: int4,
  state: redeliveryState,
  /** How many deliveries were selected when the bulk redelivery was created. */
  total: int4,
  /** How many deliveries the bulk redelivery has made due. */
  started: int4,
  /** The last delivery that the bulk redelivery has processed. Null if it has processed none. */
  cursor: nullable(uuid),
  requestedBy: text,
  createdAt: timestamptz,
  /** When the bulk redelivery was completed or cancelled. */
  completedAt: nullable(timestamptz),
};

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
  parameters: { id: uuid, merchantId: uuid, environment },
  columns: COLUMN_TYPES,
});

export async function lockRedelivery(tx: Queryable, scope: Scope, id: string): Promise<Redelivery | undefined> {
  const row = await LOCK.first(tx, { ...scope, id });
  return row && readRun(row);
}

const LOCK_STATES = statement({
  name: 'lock the states of redeliveries',
  text: 'SELECT id, state FROM webhook_redelivery WHERE id = ANY ($ids) ORDER BY id FOR SHARE',
  parameters: { ids: array(uuid) },
  columns: { id: uuid, state: redeliveryState },
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
  parameters: { id: uuid, started: int4, cursor: nullable(uuid), dueAt: timestamptz },
  columns: {},
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
  parameters: { id: uuid, state: redeliveryState, now: timestamptz },
  columns: {},
});

export async function endRedelivery(tx: Queryable, id: string, state: 'COMPLETED' | 'CANCELLED', now: Date): Promise<void> {
  await END.rows(tx, { id, state, now });
}
