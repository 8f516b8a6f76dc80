import type { Environment } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { promptRefusal } from '@/lib/platform/db/generated/tables';
import { pick, select, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

const TYPES = pick(promptRefusal, 'id environment mobile state code reason requestedAt requestedFrom decidedAt decidedBy');
const COLUMNS = select(TYPES, 'r.');

/** A request or decision to block a number. Anybody can send a request on the payment page. The operator decides about it. */
export type Refusal = NonNullable<Awaited<ReturnType<typeof lockOpenRefusal>>>;

export interface NumberOf {
  readonly environment: Environment;
  readonly mobile: string;
}

const UPSERT_REQUEST = statement({
  name: 'upsert a request for a refusal',
  text: `
WITH renewed AS (
  UPDATE prompt_refusal r SET code = $code, reason = $reason, requested_at = $requestedAt, requested_from = $requestedFrom
  WHERE environment = $environment AND mobile = $mobile AND state = 'REQUESTED' AND requested_at <= $expired
  RETURNING ${COLUMNS}
), inserted AS (
  INSERT INTO prompt_refusal AS r (id, environment, mobile, state, code, reason, requested_at, requested_from)
  SELECT $id::uuid, $environment::environment, $mobile, 'REQUESTED'::refusal_state, $code, $reason, $requestedAt::timestamptz, $requestedFrom
  WHERE NOT EXISTS (SELECT 1 FROM renewed)
  ON CONFLICT (environment, mobile) WHERE state <> 'LIFTED' DO UPDATE SET mobile = r.mobile
  RETURNING ${COLUMNS}
)
SELECT * FROM renewed UNION ALL SELECT * FROM inserted`,
  parameters: {
    ...pick(promptRefusal, 'id environment mobile reason requestedAt requestedFrom'),
    code: text,
    /** Requests made at this time or earlier have expired. */
    expired: timestamptz,
  },
  columns: TYPES,
});

/**
 * Stores a request to block a number. A block, or a request whose code is still valid, stays unchanged, so that a second request does not
 * invalidate the code of the first. An expired request gets the new code.
 * @returns the block of the number or the request for it.
 */
export async function upsertRequest(db: Queryable, request: Parameters<typeof UPSERT_REQUEST.rows>[1]): Promise<Refusal> {
  const row = await UPSERT_REQUEST.first(db, request);
  if (!row) throw new Error('the request was neither inserted nor found');
  return row;
}

const LOCK_OPEN_REFUSAL = statement({
  name: 'lock an open refusal',
  text: `SELECT ${COLUMNS} FROM prompt_refusal r WHERE r.environment = $environment AND r.mobile = $mobile AND r.state <> 'LIFTED' FOR UPDATE`,
  parameters: pick(promptRefusal, 'environment mobile'),
  columns: TYPES,
});

/** Finds and locks the open refusal of a number, requested or active. */
export async function lockOpenRefusal(tx: Queryable, { environment, mobile }: NumberOf) {
  return LOCK_OPEN_REFUSAL.first(tx, { environment, mobile });
}

/**
 * Lists refusals, newest first. With `all`, lists every refusal. Otherwise lists the active ones, and those that were requested after the
 * time `expired` and wait for the operator's decision.
 */
export async function listRefusals(
  { prisma }: Connection,
  { environment, all, expired }: { readonly environment: Environment | null; readonly all: boolean; readonly expired: Date },
): Promise<Refusal[]> {
  return prisma.promptRefusal.findMany({
    where: {
      ...(environment && { environment }),
      ...(!all && { OR: [{ state: 'ACTIVE' }, { state: 'REQUESTED', requestedAt: { gt: expired } }] }),
    },
    orderBy: [{ requestedAt: 'desc' }, { id: 'desc' }],
  });
}
