import type { Queryable } from '@/lib/db/database';
import type { ProviderAccount } from '@/lib/providers/port';
import type { Attempt } from './rules';

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
