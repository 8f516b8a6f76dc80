import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { RedeliveryState, Selection } from '@/lib/webhooks/redelivery-rules';

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

const COLUMNS = `id, merchant_id AS "merchantId", environment, period_from AS "from", period_to AS "to", states::text[] AS states, per_second AS "perSecond",
  state, total, started, cursor, requested_by AS "requestedBy", created_at AS "createdAt", completed_at AS "completedAt"`;

type NewRedelivery = Omit<Redelivery, 'state' | 'started' | 'cursor' | 'completedAt'>;

/** Adds a run that is due at once. */
export async function insertRedelivery(tx: Queryable, run: NewRedelivery): Promise<void> {
  await tx.query(
    {
      text: `INSERT INTO webhook_redelivery (id, merchant_id, environment, period_from, period_to, states, per_second, total, requested_by, created_at, due_at)
             VALUES ($1, $2, $3, $4, $5, $6::delivery_state[], $7, $8, $9, $10, $10)`,
    },
    [run.id, run.merchantId, run.environment, run.from, run.to, run.states, run.perSecond, run.total, run.requestedBy, run.createdAt],
  );
}

/** @returns one run that is due, locked; undefined when there is none, or others have them. */
export async function lockDueRedelivery(tx: Queryable, now: Date): Promise<Redelivery | undefined> {
  const [run] = await tx.query<Redelivery>(
    {
      name: 'lock-due-redelivery',
      text: `SELECT ${COLUMNS} FROM webhook_redelivery WHERE state = 'RUNNING' AND due_at <= $1 ORDER BY due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    },
    [now],
  );
  return run;
}

/** @returns a merchant's run, locked. */
export async function lockRedelivery(tx: Queryable, scope: Scope, id: string): Promise<Redelivery | undefined> {
  const [run] = await tx.query<Redelivery>(
    { text: `SELECT ${COLUMNS} FROM webhook_redelivery WHERE id = $1 AND merchant_id = $2 AND environment = $3 FOR NO KEY UPDATE` },
    [id, scope.merchantId, scope.environment],
  );
  return run;
}

interface Advance {
  readonly started: number;
  readonly cursor: string | null;
  readonly dueAt: Date;
}

/**
 * @returns those of some runs that are cancelled. None of them can be until the transaction ends: it has to wait, and then finds
 *   what is written meanwhile.
 */
export async function holdCancelled(tx: Queryable, ids: readonly string[]): Promise<string[]> {
  const runs = await tx.query<{ id: string; state: RedeliveryState }>(
    { text: 'SELECT id, state FROM webhook_redelivery WHERE id = ANY ($1::uuid[]) ORDER BY id FOR SHARE' },
    [ids],
  );
  return runs.flatMap(({ id, state }) => (state === 'CANCELLED' ? [id] : []));
}

/** Notes how far a run has come, and when it goes on. */
export async function advanceRedelivery(tx: Queryable, id: string, { started, cursor, dueAt }: Advance): Promise<void> {
  await tx.query(
    { text: 'UPDATE webhook_redelivery SET started = started + $2, cursor = coalesce($3, cursor), due_at = $4 WHERE id = $1' },
    [id, started, cursor, dueAt],
  );
}

export async function endRedelivery(tx: Queryable, id: string, state: 'COMPLETED' | 'CANCELLED', now: Date): Promise<void> {
  await tx.query({ text: 'UPDATE webhook_redelivery SET state = $2, due_at = NULL, completed_at = $3 WHERE id = $1' }, [id, state, now]);
}

/** @returns runs, newest first; with an id, that one. */
export async function listRedeliveries(
  db: Queryable,
  scope: Scope,
  { id, limit }: { readonly id: string | null; readonly limit: number },
): Promise<Redelivery[]> {
  return db.query<Redelivery>(
    {
      text: `SELECT ${COLUMNS} FROM webhook_redelivery WHERE merchant_id = $1 AND environment = $2 AND ($3::uuid IS NULL OR id = $3) ORDER BY id DESC LIMIT $4`,
    },
    [scope.merchantId, scope.environment, id, limit],
  );
}

/** What became of those that a run has set going, and that nobody has taken from it. */
export interface Outcomes {
  readonly delivered: number;
  readonly waiting: number;
  readonly failed: number;
}

/** @returns the outcomes of some runs, by id; those that have set nothing going are missing. */
export async function countOutcomes(db: Queryable, ids: readonly string[]): Promise<Map<string, Outcomes>> {
  const rows = await db.query<Outcomes & { id: string }>(
    {
      text: `SELECT redelivery_id AS id, count(*) FILTER (WHERE state IN ('PENDING', 'SENDING'))::int AS waiting,
               count(*) FILTER (WHERE state = 'DELIVERED' AND failure_count = 0)::int AS delivered,
               count(*) FILTER (WHERE state IN ('DELIVERED', 'EXHAUSTED') AND failure_count > 0)::int AS failed
             FROM webhook_delivery WHERE redelivery_id = ANY ($1::uuid[]) GROUP BY redelivery_id`,
    },
    [ids],
  );
  return new Map(rows.map(({ id, ...outcomes }) => [id, outcomes]));
}

/** @returns whose run it is: for the operator, who names runs by their id alone. */
export async function findRedeliveryScope(db: Queryable, id: string): Promise<Scope | undefined> {
  const [scope] = await db.query<Scope>({ text: 'SELECT merchant_id AS "merchantId", environment FROM webhook_redelivery WHERE id = $1' }, [
    id,
  ]);
  return scope;
}
