import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { array, enumType, environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { isRedelivered, REDELIVERY_STATES, type RedeliveryState, type Selection } from '@/lib/webhooks/redelivery-rules';

/** A run that sends a merchant's deliveries of a period again. */
export interface Redelivery extends Scope, Selection {
  readonly id: string;
  readonly perSecond: number;
  readonly state: RedeliveryState;
  /** How many there were when it began. */
  readonly total: number;
  /** How many have been set going. */
  readonly started: number;
  /** The last delivery that was looked at. */
  readonly cursor: string | null;
  readonly requestedBy: string;
  readonly createdAt: Date;
  /** When it ended, either way. */
  readonly completedAt: Date | null;
}

const redeliveryState = enumType('redelivery_state', REDELIVERY_STATES);
/** The columns of a Redelivery. */
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
  total: int4,
  started: int4,
  cursor: nullable(uuid),
  requestedBy: text,
  createdAt: timestamptz,
  completedAt: nullable(timestamptz),
};

type Row = Omit<Redelivery, 'states'> & { readonly states: readonly string[] };

function readRun(row: Row): Redelivery {
  return { ...row, states: row.states.filter(isRedelivered) };
}

type NewRedelivery = Omit<Redelivery, 'state' | 'started' | 'cursor' | 'completedAt'>;

/** Adds a run that is due at once. */
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

/** @returns one run that is due, locked; undefined when there is none, or others have them. */
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

/** @returns a merchant's run, locked. */
export async function lockRedelivery(tx: Queryable, scope: Scope, id: string): Promise<Redelivery | undefined> {
  const row = await LOCK.first(tx, { ...scope, id });
  return row && readRun(row);
}

const HOLD = statement({
  name: 'hold redeliveries',
  text: 'SELECT id, state FROM webhook_redelivery WHERE id = ANY ($ids) ORDER BY id FOR SHARE',
  parameters: { ids: array(uuid) },
  columns: { id: uuid, state: redeliveryState },
});

/**
 * @returns those of some runs that are cancelled. None of them can be until the transaction ends: it has to wait, and then finds
 *   what is written meanwhile.
 */
export async function lockCancelled(tx: Queryable, ids: readonly string[]): Promise<string[]> {
  const runs = await HOLD.rows(tx, { ids });
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

/** Notes how far a run has come, and when it goes on. */
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
