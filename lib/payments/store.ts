import type { Bill } from '@/lib/bills/rules';
import type { Environment } from '@/lib/config/runtime';
import type { Queryable } from '@/lib/db/database';
import type { ProviderAccount, RawAnswer } from '@/lib/providers/port';
import type { Attempt, Decision } from './rules';
import type { AttemptState } from './state';

const ATTEMPT_COLUMNS = `a.id, a.merchant_id AS "merchantId", a.environment, a.bill_id AS "billId", a.provider_account_id AS "providerAccountId",
  a.mobile, a.network, a.amount, a.our_reference AS "ourReference", a.provider_reference AS "providerReference", a.state,
  a.failure_reason AS "failureReason", a.send_count AS "sendCount", a.query_count AS "queryCount", a.lease_token AS "leaseToken",
  a.created_at AS "createdAt", a.sent_at AS "sentAt"`;

export interface ClaimedAttempt extends Attempt {
  /** The state before the claim; a queued one is now SENDING. */
  readonly previousState: AttemptState;
}

/**
 * Takes due attempts for one worker: leases them, and commits SENDING before anybody calls a provider. A row whose lease
 * ran out is due again; its token grows, so that the worker that lost it cannot reschedule it.
 */
export async function claimAttempts(
  db: Queryable,
  { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number },
): Promise<ClaimedAttempt[]> {
  return db.query<ClaimedAttempt>(
    {
      name: 'claim-attempts',
      text: `
WITH due AS (
  SELECT id, state FROM push_attempt
  WHERE due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
)
UPDATE push_attempt a SET
  lease_until = $2,
  lease_token = a.lease_token + 1,
  state = CASE WHEN due.state = 'QUEUED' THEN 'SENDING'::attempt_state ELSE a.state END,
  send_count = a.send_count + (due.state = 'QUEUED')::int,
  query_count = a.query_count + (due.state <> 'QUEUED')::int,
  sent_at = CASE WHEN due.state = 'QUEUED' THEN $1 ELSE a.sent_at END
FROM due WHERE a.id = due.id
RETURNING ${ATTEMPT_COLUMNS}, due.state AS "previousState"`,
    },
    [now, leaseUntil, limit],
  );
}

/** @returns the account that serves a network: a merchant's own before the operator's. */
export async function findProviderAccount(
  db: Queryable,
  { environment, merchantId, network }: { environment: Environment; merchantId: string; network: string },
): Promise<StoredAccount | undefined> {
  const [account] = await db.query<StoredAccount>(
    {
      text: `SELECT ${ACCOUNT_COLUMNS} FROM provider_account
             WHERE environment = $1 AND (merchant_id = $2 OR merchant_id IS NULL) AND $3 = ANY (networks) AND disabled_at IS NULL
             ORDER BY merchant_id NULLS LAST, created_at LIMIT 1`,
    },
    [environment, merchantId, network],
  );
  return account;
}

export interface StoredAccount extends Omit<ProviderAccount, 'credentials' | 'callbackUrl'> {
  readonly encryptedCredentials: Uint8Array | null;
}

export const ACCOUNT_COLUMNS = 'id, environment, provider, networks, encrypted_credentials AS "encryptedCredentials"';

/** By id alone: an account that was disabled still answers for what it sent. */
export async function findAccountById(db: Queryable, id: string): Promise<StoredAccount | undefined> {
  const [account] = await db.query<StoredAccount>({ text: `SELECT ${ACCOUNT_COLUMNS} FROM provider_account WHERE id = $1` }, [id]);
  return account;
}

/**
 * Notes which account an attempt is sent through, before it is, and holds the lease for the call.
 * @returns false when the lease has passed to another worker: then it must not be sent.
 */
export async function assignAccount(db: Queryable, attempt: Attempt, accountId: string, leaseUntil: Date): Promise<boolean> {
  const rows = await db.query(
    {
      text: `UPDATE push_attempt SET provider_account_id = $2, lease_until = $4
             WHERE id = $1 AND state = 'SENDING' AND lease_token = $3 RETURNING 1 AS ours`,
    },
    [attempt.id, accountId, attempt.leaseToken, leaseUntil],
  );
  return rows.length > 0;
}

/** Holds a lease for the length of a call. @returns false when it has passed to another worker, or the attempt has settled. */
export async function extendLease(db: Queryable, attempt: Attempt, leaseUntil: Date): Promise<boolean> {
  const rows = await db.query(
    {
      text: 'UPDATE push_attempt SET lease_until = $4 WHERE id = $1 AND state = $2 AND lease_token = $3 RETURNING 1 AS ours',
    },
    [attempt.id, attempt.state, attempt.leaseToken, leaseUntil],
  );
  return rows.length > 0;
}

export interface ProviderMessageRow {
  readonly id: string;
  readonly account: Pick<ProviderAccount, 'id' | 'environment'>;
  readonly attemptId: string | null;
  readonly kind: 'answer' | 'status' | 'callback';
  readonly message: Pick<RawAnswer, 'headers' | 'body'> & Partial<Pick<RawAnswer, 'status' | 'error'>>;
  readonly receivedAt: Date;
}

export async function insertProviderMessage(
  db: Queryable,
  { id, account, attemptId, kind, message, receivedAt }: ProviderMessageRow,
): Promise<void> {
  await db.query(
    {
      text: `INSERT INTO provider_message (id, environment, provider_account_id, attempt_id, kind, http_status, headers, body, error, received_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    },
    [
      id,
      account.environment,
      account.id,
      attemptId,
      kind,
      message.status ?? null,
      message.headers,
      Buffer.from(message.body),
      message.error ?? null,
      receivedAt,
    ],
  );
}

/** @returns the attempt that a provider calls by our reference, if it went through this account. */
export async function findAttemptByReference(db: Queryable, accountId: string, reference: string): Promise<Attempt | undefined> {
  const [attempt] = await db.query<Attempt>(
    { text: `SELECT ${ATTEMPT_COLUMNS} FROM push_attempt a WHERE a.our_reference = $1 AND a.provider_account_id = $2` },
    [reference, accountId],
  );
  return attempt;
}

export async function attachMessage(db: Queryable, messageId: string, attemptId: string): Promise<void> {
  await db.query({ text: 'UPDATE provider_message SET attempt_id = $2 WHERE id = $1' }, [messageId, attemptId]);
}

/** Has the workers ask about an open attempt at once. */
export async function hastenQuery(db: Queryable, attemptId: string, now: Date): Promise<void> {
  await db.query(
    {
      text: `UPDATE push_attempt SET due_at = $2 WHERE id = $1 AND due_at > $2 AND state IN ('AWAITING_CUSTOMER', 'UNKNOWN')`,
    },
    [attemptId, now],
  );
}

export async function lockAttempt(tx: Queryable, id: string): Promise<Attempt | undefined> {
  const [attempt] = await tx.query<Attempt>({ text: `SELECT ${ATTEMPT_COLUMNS} FROM push_attempt a WHERE a.id = $1 FOR UPDATE` }, [id]);
  return attempt;
}

/** Compare-and-set. @returns whether the attempt was still in the state the decision was made for. */
export async function moveAttempt(tx: Queryable, attempt: Attempt, decision: Decision, now: Date): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `UPDATE push_attempt SET state = $3, failure_reason = $4, provider_reference = $5, due_at = $6, lease_until = NULL,
               settled_at = CASE WHEN $6::timestamptz IS NULL THEN $7::timestamptz END
             WHERE id = $1 AND state = $2 RETURNING 1 AS moved`,
    },
    [attempt.id, attempt.state, decision.state, decision.failureReason, decision.providerReference, decision.dueAt, now],
  );
  return rows.length > 0;
}

/** Ends a lease and says when to look next, unless another worker has taken the attempt since. */
export async function rescheduleAttempt(
  tx: Queryable,
  attempt: Attempt,
  leaseToken: number,
  { dueAt, providerReference }: Decision,
): Promise<void> {
  await tx.query(
    {
      text: 'UPDATE push_attempt SET due_at = $4, provider_reference = $5, lease_until = NULL WHERE id = $1 AND state = $2 AND lease_token = $3',
    },
    [attempt.id, attempt.state, leaseToken, dueAt, providerReference],
  );
}

export interface NewPayment {
  readonly id: string;
  readonly attempt: Attempt;
  readonly providerAccountId: string;
  readonly transactionId: string;
  readonly amount: bigint;
  readonly late: boolean;
  readonly recordedAt: Date;
}

/**
 * What the ledger has to say to a payment: it was written now; it is there for this attempt; it is there and nobody's, so
 * that it can be this attempt's; or it is another's.
 */
export type Entered =
  | { readonly kind: 'inserted' | 'known' | 'conflict' }
  | { readonly kind: 'unmatched'; readonly id: string; readonly amount: bigint };

export async function insertPayment(
  tx: Queryable,
  { id, attempt, providerAccountId, transactionId, amount, late, recordedAt }: NewPayment,
): Promise<Entered> {
  const rows = await tx.query(
    {
      text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, attempt_id, amount, mobile, late, recorded_at)
             VALUES ($1, $2, $3, $4, $5, 'payment', $6, $7, $8, $9, $10)
             ON CONFLICT (provider_account_id, provider_transaction_id, kind) DO NOTHING RETURNING 1 AS inserted`,
    },
    [id, attempt.environment, attempt.merchantId, providerAccountId, transactionId, attempt.id, amount, attempt.mobile, late, recordedAt],
  );
  if (rows.length > 0) return { kind: 'inserted' };
  const [earlier] = await tx.query<{ id: string; attemptId: string | null; amount: bigint; allocated: boolean }>(
    {
      text: `SELECT id, attempt_id AS "attemptId", amount, EXISTS (SELECT 1 FROM payment_allocation a WHERE a.payment_id = p.id) AS allocated
             FROM payment p WHERE provider_account_id = $1 AND provider_transaction_id = $2 AND kind = 'payment'`,
    },
    [providerAccountId, transactionId],
  );
  if (!earlier) throw new Error(`payment ${transactionId} is neither new nor there`);
  if (earlier.attemptId === attempt.id) return { kind: 'known' };
  return earlier.attemptId === null && !earlier.allocated
    ? { kind: 'unmatched', id: earlier.id, amount: earlier.amount }
    : { kind: 'conflict' };
}

/** Keeps money that no attempt is known for: the operator's until it is matched. @returns false when the ledger has it already. */
export async function insertUnmatchedPayment(
  db: Queryable,
  {
    id,
    account,
    transactionId,
    amount,
    recordedAt,
  }: { id: string; account: Pick<ProviderAccount, 'id' | 'environment'>; transactionId: string; amount: bigint; recordedAt: Date },
): Promise<boolean> {
  const rows = await db.query(
    {
      text: `INSERT INTO payment (id, environment, provider_account_id, provider_transaction_id, kind, amount, recorded_at)
             VALUES ($1, $2, $3, $4, 'payment', $5, $6)
             ON CONFLICT (provider_account_id, provider_transaction_id, kind) DO NOTHING RETURNING 1 AS inserted`,
    },
    [id, account.environment, account.id, transactionId, amount, recordedAt],
  );
  return rows.length > 0;
}

export async function insertAllocation(
  tx: Queryable,
  { id, paymentId, attempt, amount, createdAt }: { id: string; paymentId: string; attempt: Attempt; amount: bigint; createdAt: Date },
): Promise<void> {
  await tx.query(
    {
      text: `INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, 'gateway', $7)`,
    },
    [id, attempt.merchantId, attempt.environment, paymentId, attempt.billId, amount, createdAt],
  );
}

/** @returns the attempts of one bill, oldest first. */
export async function listAttempts(db: Queryable, billId: string): Promise<Attempt[]> {
  return db.query<Attempt>(
    { name: 'list-attempts', text: `SELECT ${ATTEMPT_COLUMNS} FROM push_attempt a WHERE a.bill_id = $1 ORDER BY a.id` },
    [billId],
  );
}

export interface NewAttempt {
  readonly id: string;
  readonly bill: Pick<Bill, 'id' | 'merchantId' | 'environment'>;
  readonly mobile: string;
  readonly network: string;
  readonly amount: bigint;
  readonly ourReference: string;
  readonly now: Date;
}

/** Queues a prompt that the payment page asked for; the caller has locked the bill. */
export async function insertAttempt(tx: Queryable, { id, bill, mobile, network, amount, ourReference, now }: NewAttempt): Promise<void> {
  await tx.query(
    {
      text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, mobile, network, amount, our_reference, state, due_at, created_at)
             VALUES ($1, $2, $3, $4, 'web', $5, $6, $7, $8, 'QUEUED', $9, $9)`,
    },
    [id, bill.merchantId, bill.environment, bill.id, mobile, network, amount, ourReference, now],
  );
}

/** @returns the provider's receipt numbers of what was paid on a bill. */
export async function listReceipts(db: Queryable, billId: string): Promise<{ transactionId: string; amount: bigint; recordedAt: Date }[]> {
  return db.query(
    {
      text: `SELECT p.provider_transaction_id AS "transactionId", a.amount, p.recorded_at AS "recordedAt"
             FROM payment_allocation a JOIN payment p ON p.id = a.payment_id WHERE a.bill_id = $1 ORDER BY a.id`,
    },
    [billId],
  );
}
