import type { Queryable } from '@/lib/db/database';
import { int4, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import { INSERTED } from './ledger-store';
import { type LedgerPayment, PAYMENT_COLUMNS } from './payment-store';

const INSERT_REVERSAL = statement({
  name: 'insert a reversal',
  text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, attempt_id, amount, mobile, reverses_id, recorded_at, happened_at)
         VALUES ($id, $environment, $merchantId, $providerAccountId, $transactionId, 'reversal', $attemptId, $amount, $mobile, $reversesId, $recordedAt, $happenedAt)
         ON CONFLICT (till_id, provider_transaction_id, kind) DO NOTHING RETURNING 1 AS inserted`,
  parameters: { ...PAYMENT_COLUMNS, reversesId: uuid, happenedAt: nullable(timestamptz) },
  columns: INSERTED,
});

interface NewReversal extends Pick<LedgerPayment, 'id' | 'transactionId' | 'amount' | 'recordedAt'> {
  readonly payment: LedgerPayment;
  /** When the money was reversed, as the provider says; null if it does not say so. */
  readonly happenedAt: Date | null;
}

/** Returns false if the ledger already has a reversal with this receipt number. */
export async function insertReversal(tx: Queryable, { payment, ...reversal }: NewReversal): Promise<boolean> {
  const rows = await INSERT_REVERSAL.rows(tx, { ...payment, ...reversal, reversesId: payment.id });
  return rows.length > 0;
}

const INSERT_RECEIPT = statement({
  name: 'insert the receipt of a reversal',
  text: `INSERT INTO reversal_receipt (payment_id, provider_transaction_id, recorded_at) VALUES ($reversalId, $receipt, $recordedAt)
         ON CONFLICT (payment_id) DO NOTHING`,
  parameters: { reversalId: uuid, receipt: text, recordedAt: timestamptz },
  columns: {},
});

const FIND_RECEIPT = statement({
  name: 'find the receipt of a reversal',
  text: 'SELECT 1 AS found FROM reversal_receipt WHERE payment_id = $reversalId AND provider_transaction_id = $receipt',
  parameters: { reversalId: uuid, receipt: text },
  columns: { found: int4 },
});

/**
 * Records the receipt number of a reversal that was booked without one. Only the first number is recorded, because a second number belongs
 * to another reversal. Returns true if the recorded number is the given one.
 */
export async function recordReversalReceipt(
  db: Queryable,
  receipt: { readonly reversalId: string; readonly receipt: string; readonly recordedAt: Date },
): Promise<boolean> {
  await INSERT_RECEIPT.rows(db, receipt);
  return (await FIND_RECEIPT.rows(db, receipt)).length > 0;
}
