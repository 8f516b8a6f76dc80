import type { Environment } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { enumType, environment, int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { REFUSAL_STATES } from './rules';

const COLUMNS = `r.id, r.environment, r.mobile, r.state, r.code, r.reason, r.requested_at AS "requestedAt", r.requested_from AS "requestedFrom",
  r.decided_at AS "decidedAt", r.decided_by AS "decidedBy"`;

const TYPES = {
  id: uuid,
  environment,
  mobile: text,
  state: enumType('refusal_state', REFUSAL_STATES),
  /**
   * The code with which the owner of the number confirms a request to block it. The payment page showed the code. Null if the operator
   * blocked the number without such a request.
   */
  code: nullable(text),
  reason: nullable(text),
  requestedAt: timestamptz,
  /** The IP address of the requester, or the IP network of the address. */
  requestedFrom: nullable(text),
  decidedAt: nullable(timestamptz),
  decidedBy: nullable(text),
};

/** A request or decision to block a number. Anybody can send a request on the payment page. The operator decides about it. */
export type Refusal = NonNullable<Awaited<ReturnType<typeof lockOpenRefusal>>>;

export interface NumberOf {
  readonly environment: Environment;
  readonly mobile: string;
}

const IS_REFUSED = statement({
  name: 'is-refused',
  prepared: true,
  text: "SELECT 1 AS refused FROM prompt_refusal WHERE environment = $environment AND mobile = $mobile AND state = 'ACTIVE'",
  parameters: { environment, mobile: text },
  columns: { refused: int4 },
});

export async function isRefused(db: Queryable, { environment, mobile }: NumberOf): Promise<boolean> {
  return (await IS_REFUSED.first(db, { environment, mobile })) !== undefined;
}

export async function countRequestsFrom({ prisma }: Connection, holder: string | null, since: Date): Promise<number> {
  return prisma.promptRefusal.count({ where: { requestedFrom: holder, requestedAt: { gt: since } } });
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
    id: uuid,
    environment,
    mobile: text,
    code: text,
    reason: nullable(text),
    requestedAt: timestamptz,
    requestedFrom: nullable(text),
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
  parameters: { environment, mobile: text },
  columns: TYPES,
});

/** Finds and locks the open refusal of a number, requested or active. */
export async function lockOpenRefusal(tx: Queryable, { environment, mobile }: NumberOf) {
  return LOCK_OPEN_REFUSAL.first(tx, { environment, mobile });
}

interface Decision {
  readonly state: 'ACTIVE' | 'LIFTED';
  readonly decidedAt: Date;
  readonly decidedBy: string;
  /** The operator's reason; null to keep the stored reason. */
  readonly reason: string | null;
}

/** Stores a decision about a request to block a number. The calling code must have locked the request's row. */
export async function decideRefusal({ prisma }: Connection, id: string, { reason, ...decision }: Decision): Promise<void> {
  const { state, decidedAt, decidedBy } = decision;
  await prisma.promptRefusal.updateMany({ where: { id }, data: { state, decidedAt, decidedBy, ...(reason !== null && { reason }) } });
}

/** Blocks a number without a request. @returns false if the number is already blocked, or if a request to block it is open. */
export async function insertActive(
  { prisma }: Connection,
  refusal: NumberOf & Omit<Decision, 'state'> & { readonly id: string },
): Promise<boolean> {
  const data = { ...refusal, state: 'ACTIVE', requestedAt: refusal.decidedAt } as const;
  const { count } = await prisma.promptRefusal.createMany({ data, skipDuplicates: true });
  return count > 0;
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
