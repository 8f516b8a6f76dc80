import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { Refusal } from './rules';

const COLUMNS = `r.id, r.environment, r.mobile, r.state, r.code, r.reason, r.requested_at AS "requestedAt", r.requested_from AS "requestedFrom",
  r.decided_at AS "decidedAt", r.decided_by AS "decidedBy"`;

/** A number in one environment. */
export interface NumberOf {
  readonly environment: Environment;
  readonly mobile: string;
}

/** Whether the owner of a number wants no prompts, and the operator has confirmed it. */
export async function isRefused(db: Queryable, { environment, mobile }: NumberOf): Promise<boolean> {
  const rows = await db.query(
    {
      name: 'is-refused',
      text: "SELECT 1 AS refused FROM prompt_refusal WHERE environment = $1 AND mobile = $2 AND state = 'ACTIVE'",
    },
    [environment, mobile],
  );
  return rows.length > 0;
}

/** @returns how many numbers one holder has named since an instant. */
export async function countRequestsFrom(db: Queryable, holder: string | null, since: Date): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    { text: 'SELECT count(*)::int AS n FROM prompt_refusal WHERE requested_from IS NOT DISTINCT FROM $1 AND requested_at > $2' },
    [holder, since],
  );
  return row?.n ?? 0;
}

interface NewRequest extends NumberOf {
  readonly id: string;
  readonly code: string;
  readonly reason: string | null;
  readonly requestedAt: Date;
  readonly requestedFrom: string | null;
}

/**
 * Notes a request. One that is open stays as it is, so that asking again, by whomever, spoils nobody's code; one that has
 * expired is renewed.
 * @param expired requests up to then have expired.
 * @returns the number's open refusal.
 */
export async function upsertRequest(db: Queryable, request: NewRequest, expired: Date): Promise<Refusal> {
  const { id, environment, mobile, code, reason, requestedAt, requestedFrom } = request;
  const [row] = await db.query<Refusal>(
    {
      text: `
WITH renewed AS (
  UPDATE prompt_refusal r SET code = $4, reason = $5, requested_at = $6, requested_from = $7
  WHERE environment = $2 AND mobile = $3 AND state = 'REQUESTED' AND requested_at <= $8
  RETURNING ${COLUMNS}
), made AS (
  INSERT INTO prompt_refusal AS r (id, environment, mobile, state, code, reason, requested_at, requested_from)
  SELECT $1::uuid, $2::environment, $3, 'REQUESTED'::refusal_state, $4, $5, $6::timestamptz, $7 WHERE NOT EXISTS (SELECT 1 FROM renewed)
  ON CONFLICT (environment, mobile) WHERE state <> 'LIFTED' DO UPDATE SET mobile = r.mobile
  RETURNING ${COLUMNS}
)
SELECT * FROM renewed UNION ALL SELECT * FROM made`,
    },
    [id, environment, mobile, code, reason, requestedAt, requestedFrom, expired],
  );
  if (!row) throw new Error('a request is renewed, made or there');
  return row;
}

/** Locks the number's open refusal, requested or active. */
export async function lockOpenRefusal(tx: Queryable, { environment, mobile }: NumberOf): Promise<Refusal | undefined> {
  const [row] = await tx.query<Refusal>(
    { text: `SELECT ${COLUMNS} FROM prompt_refusal r WHERE r.environment = $1 AND r.mobile = $2 AND r.state <> 'LIFTED' FOR UPDATE` },
    [environment, mobile],
  );
  return row;
}

interface Decided {
  readonly state: 'ACTIVE' | 'LIFTED';
  readonly decidedAt: Date;
  readonly decidedBy: string;
  /** Why, in the operator's words; null keeps what stands there. */
  readonly reason: string | null;
}

/** Decides a refusal that the caller has locked. */
export async function decideRefusal(tx: Queryable, id: string, { state, decidedAt, decidedBy, reason }: Decided): Promise<void> {
  await tx.query(
    { text: 'UPDATE prompt_refusal SET state = $2, decided_at = $3, decided_by = $4, reason = coalesce($5, reason) WHERE id = $1' },
    [id, state, decidedAt, decidedBy, reason],
  );
}

/** Blocks a number that nobody asked for on the page. @returns false when a refusal is open by now. */
export async function insertActive(
  tx: Queryable,
  { id, environment, mobile, decidedAt, decidedBy, reason }: NumberOf & Omit<Decided, 'state'> & { readonly id: string },
): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `INSERT INTO prompt_refusal (id, environment, mobile, state, reason, requested_at, decided_at, decided_by)
             VALUES ($1, $2, $3, 'ACTIVE', $4, $5, $5, $6)
             ON CONFLICT (environment, mobile) WHERE state <> 'LIFTED' DO NOTHING RETURNING 1 AS made`,
    },
    [id, environment, mobile, reason, decidedAt, decidedBy],
  );
  return rows.length > 0;
}

/** @returns refusals, newest first: those that are active and requests later than `expired`, or with `all` every one. */
export async function listRefusals(
  db: Queryable,
  { environment, all, expired }: { readonly environment: Environment | null; readonly all: boolean; readonly expired: Date },
): Promise<Refusal[]> {
  return db.query<Refusal>(
    {
      text: `SELECT ${COLUMNS} FROM prompt_refusal r
             WHERE ($1::environment IS NULL OR r.environment = $1)
               AND ($2 OR r.state = 'ACTIVE' OR (r.state = 'REQUESTED' AND r.requested_at > $3))
             ORDER BY r.requested_at DESC, r.id DESC`,
    },
    [environment, all, expired],
  );
}
