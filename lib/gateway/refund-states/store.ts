import { closeReviews } from '@/lib/gateway/reviews/store';
import { ROLES, roleMay } from '@/lib/identity/accounts/permissions';
import type { Senti } from '@/lib/platform/core/money';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import { merchantProfile, providerAccount, refund } from '@/lib/platform/db/generated/tables';
import { array, int4, int8, nullable, pick, select, text, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { insertRow } from '@/lib/platform/db/unnest';
import { OPEN_REFUND_STATES, type Refund, type RefundFailure, type RefundState } from './rules';

const OURS = { ours: int4 };
const COLUMNS = pick(
  refund,
  `id environment paymentId billId amount whole way state ourReference providerReference failureReason reason requestedBy requestedById sendCount
   queryCount leaseToken sentAt`,
);
const SELECTED = select(COLUMNS, 'r.');
const OPEN = `(${OPEN_REFUND_STATES.map((state) => `'${state}'`).join(', ')})`;

const NEW_REFUND = pick(
  refund,
  `id environment merchantId paymentId billId amount whole way state ourReference reason requestedBy requestedById idempotencyKey requestHash dueAt createdAt`,
);
const INSERT_REFUND = statement({ name: 'insert a refund', text: insertRow('refund', NEW_REFUND), parameters: NEW_REFUND });

export async function insertRefund(tx: Queryable, row: Parameters<typeof INSERT_REFUND.rows>[1]): Promise<void> {
  await INSERT_REFUND.rows(tx, row);
}

const LOCK_OPEN_REFUND = statement({
  name: 'lock the open refund of a payment',
  text: `SELECT ${SELECTED} FROM refund r WHERE r.payment_id = $paymentId AND r.state IN ${OPEN} FOR UPDATE`,
  parameters: { paymentId: refund.paymentId },
  columns: COLUMNS,
});

/** Locks and returns the open refund of a payment. There is at most one. */
export async function lockOpenRefund(tx: Queryable, paymentId: string): Promise<Refund | undefined> {
  return LOCK_OPEN_REFUND.first(tx, { paymentId });
}

const FIND_REFUND = statement({
  name: 'find a refund',
  text: `SELECT ${SELECTED} FROM refund r WHERE r.id = $id`,
  parameters: { id: refund.id },
  columns: COLUMNS,
});

export async function findRefund(db: Queryable, id: string): Promise<Refund | undefined> {
  return FIND_REFUND.first(db, { id });
}

const FIND_REPEATED = statement({
  name: 'find the refund of an Idempotency-Key',
  text: `SELECT id, request_hash AS "requestHash" FROM refund
         WHERE merchant_id = $merchantId::uuid AND environment = $environment AND idempotency_key = $key::text`,
  parameters: { merchantId: uuid, environment: refund.environment, key: text },
  columns: { id: refund.id, requestHash: refund.requestHash },
});

/** Returns the refund that an earlier request with the same Idempotency-Key has made, with the hash of that request. */
export async function findRefundByKey(db: Queryable, { merchantId, environment }: Scope, key: string) {
  return FIND_REPEATED.first(db, { merchantId, environment, key });
}

const READ_LIMIT = statement({
  name: 'read the limit of refunds',
  text: `SELECT p.refund_limit AS "limit",
           (SELECT count(*)::int FROM membership m WHERE m.merchant_id = p.merchant_id AND m.role::text = ANY ($roles)) AS people
         FROM merchant_profile p WHERE p.merchant_id = $merchantId AND p.environment = $environment`,
  parameters: { ...pick(merchantProfile, 'merchantId environment'), roles: array(text) },
  columns: { limit: merchantProfile.refundLimit, people: int4 },
});

/** Returns the limit that a merchant has set, senti or null, and how many people may ask for refunds and approve them. */
export async function readLimitRule(db: Queryable, scope: Scope): Promise<{ readonly limit: Senti | null; readonly people: number }> {
  const roles = ROLES.filter((role) => roleMay(role, 'refunds.change'));
  return (await READ_LIMIT.first(db, { ...scope, roles })) ?? { limit: null, people: 0 };
}

/**
 * Returns the amount above which a refund of the merchant needs a second person, senti; null for none. A merchant with one person who may
 * approve has no limit.
 */
export async function readRefundLimit(db: Queryable, scope: Scope): Promise<Senti | null> {
  const { limit, people } = await readLimitRule(db, scope);
  return people > 1 ? limit : null;
}

/**
 * Sets the state and the due time of an open refund, and the provider's reference if an answer named one. Returns false if it is settled, or
 * if another worker has claimed it.
 */
export async function moveRefund(
  { prisma }: Connection,
  { id, leaseToken }: Pick<Refund, 'id' | 'leaseToken'>,
  { state, dueAt, providerReference }: { state: RefundState; dueAt: Date | null; providerReference?: string | null },
): Promise<boolean> {
  const { count } = await prisma.refund.updateMany({
    where: { id, leaseToken, state: { in: ['SENDING', 'UNKNOWN'] } },
    data: { state, dueAt, leaseUntil: null, ...(providerReference && { providerReference }) },
  });
  return count > 0;
}

const SETTLE_REFUND = statement({
  name: 'settle a refund',
  text: `UPDATE refund SET state = $state, way = coalesce($way, way), failure_reason = $failureReason, source = $source, entry_id = $entryId,
           decided_by = coalesce($decidedBy, decided_by), settled_at = $now, due_at = NULL, lease_until = NULL
         WHERE id = $id AND state::text = ANY ($from) RETURNING 1 AS ours`,
  parameters: {
    ...pick(refund, 'id state failureReason source entryId decidedBy'),
    way: nullable(refund.way),
    from: array(text),
    now: timestamptz,
  },
  columns: OURS,
});

interface End {
  readonly state: 'DONE' | 'FAILED';
  readonly failureReason?: RefundFailure | null;
  /** The ledger entry of the refund; absent if it has none. */
  readonly entryId?: string | null;
  /** How a person returned the money. */
  readonly source?: 'cash' | 'bank' | 'other' | null;
  /** The way by which the money went back, if it is another one than was intended. */
  readonly way?: 'reversal' | null;
  readonly now: Date;
  readonly by: string;
  /** The person who ended it; absent for the gateway. */
  readonly decidedBy?: string | null;
  /** The states in which the refund may be. By default all that are open. */
  readonly from?: readonly RefundState[];
}

/** Settles a refund and closes its review. Returns false if it is in another state. */
export async function endRefund(tx: Queryable, id: string, { now, by, from = OPEN_REFUND_STATES, ...end }: End): Promise<boolean> {
  const { failureReason = null, entryId = null, source = null, way = null, decidedBy = null, state } = end;
  const settled = await SETTLE_REFUND.rows(tx, { id, state, failureReason, entryId, source, way, decidedBy, from, now });
  if (settled.length === 0) return false;
  const resolution = `the refund is ${state}`;
  await closeReviews(tx, [{ kind: 'refund_unresolved', refundId: id, resolvedBy: by, resolution }], now);
  return true;
}

const MAKE_REFUND_DUE = statement({
  name: 'make a status query of a refund due',
  text: `UPDATE refund r SET due_at = CASE WHEN r.state = 'UNKNOWN' THEN least(r.due_at, $now) ELSE r.due_at END,
           provider_reference = coalesce(r.provider_reference, $providerReference::text)
         FROM payment p WHERE p.id = r.payment_id AND p.till_id = (SELECT till_id FROM provider_account WHERE id = $accountId)
           AND r.our_reference = $ourReference
         RETURNING ${SELECTED}`,
  parameters: { accountId: providerAccount.id, ...pick(refund, 'ourReference providerReference'), now: timestamptz },
  columns: COLUMNS,
});

/**
 * Makes a status query of the refund due now if it is in UNKNOWN. Stores the provider's reference that a signed callback contains, because
 * some providers can be asked only by it; null if there is none. Returns the refund; undefined if the account has none with this reference.
 */
export async function makeRefundDue(db: Queryable, callback: Parameters<typeof MAKE_REFUND_DUE.rows>[1]): Promise<Refund | undefined> {
  return MAKE_REFUND_DUE.first(db, callback);
}

export type ClaimedRefund = Awaited<ReturnType<typeof claimRefunds>>[number];

const CLAIM_REFUNDS = statement({
  name: 'claim-refunds',
  prepared: true,
  text: `
WITH due AS (
  SELECT id, state FROM refund
  WHERE due_at <= $now AND (lease_until IS NULL OR lease_until <= $now)
  ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED
)
UPDATE refund r SET
  lease_until = $leaseUntil,
  lease_token = r.lease_token + 1,
  state = CASE WHEN due.state = 'QUEUED' THEN 'SENDING'::refund_state ELSE r.state END,
  send_count = r.send_count + (due.state = 'QUEUED')::int,
  query_count = r.query_count + (due.state <> 'QUEUED')::int,
  sent_at = CASE WHEN due.state = 'QUEUED' THEN $now ELSE r.sent_at END
FROM due WHERE r.id = due.id
RETURNING ${SELECTED}, due.state AS "previousState"`,
  parameters: { now: timestamptz, leaseUntil: timestamptz, limit: int8 },
  columns: {
    ...COLUMNS,
    /** The state before the claim. A QUEUED refund is now SENDING. */
    previousState: refund.state,
  },
});

/** Claims due refunds for a worker. As in `claimAttempts`, SENDING is committed before any call to a provider. */
export async function claimRefunds(db: Queryable, { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number }) {
  return CLAIM_REFUNDS.rows(db, { now, leaseUntil, limit: BigInt(limit) });
}

/**
 * Extends the lease of a refund. Returns false if another worker has the refund.
 * @param state the state that the refund must have. Without it, the lease is extended even if a callback has settled the refund meanwhile.
 */
export async function extendLease(
  { prisma }: Connection,
  { id, leaseToken }: Pick<Refund, 'id' | 'leaseToken'>,
  leaseUntil: Date,
  state?: RefundState,
): Promise<boolean> {
  const { count } = await prisma.refund.updateMany({ where: { id, leaseToken, ...(state && { state }) }, data: { leaseUntil } });
  return count > 0;
}

const APPROVE = statement({
  name: 'approve a refund',
  text: `UPDATE refund SET state = $state::refund_state, decided_by = $decidedBy, due_at = CASE WHEN $state::refund_state = 'QUEUED' THEN $now::timestamptz END
         WHERE id = $id AND state = 'ASKED' RETURNING 1 AS ours`,
  parameters: { ...pick(refund, 'id state decidedBy'), now: timestamptz },
  columns: OURS,
});

/** Approves a refund that waits for a second person. Returns false if it does not wait any more. */
export async function approve(
  tx: Queryable,
  id: string,
  approved: { state: 'APPROVED' | 'QUEUED'; decidedBy: string; now: Date },
): Promise<boolean> {
  return (await APPROVE.rows(tx, { id, ...approved })).length > 0;
}
