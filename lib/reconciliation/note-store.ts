import type { Queryable } from '@/lib/db/database';
import type { Action } from './rules';

/**
 * Notes what has become, in the ledger, of payments that it did not have: the payment, and whether it was booked for an attempt.
 * @param accounts where they may have been recorded.
 */
export async function notePayments(tx: Queryable, runId: string, accounts: readonly string[], numbers: readonly number[]): Promise<void> {
  await tx.query(
    {
      // One look-up of the ledger for each line: a join's plan depends on statistics that a day's statement makes stale.
      text: `WITH noted AS MATERIALIZED (
               SELECT number, (SELECT p.id FROM payment p WHERE p.till_id = (SELECT till_id FROM provider_account WHERE id = ($2::uuid[])[1])
                                 AND p.provider_transaction_id = transaction_id AND p.kind = 'payment' LIMIT 1) AS payment_id
               FROM reconciliation_line
               WHERE reconciliation_id = $1 AND number = ANY ($3::int[]) AND finding = 'theirs_only' AND payment_id IS NULL)
             UPDATE reconciliation_line l SET payment_id = noted.payment_id,
               action = CASE WHEN EXISTS (SELECT 1 FROM payment_allocation a WHERE a.payment_id = noted.payment_id AND a.created_by = 'gateway')
                 THEN 'settled_attempt'::reconciliation_action ELSE 'kept_unmatched' END
             FROM noted WHERE l.reconciliation_id = $1 AND l.number = noted.number AND noted.payment_id IS NOT NULL`,
    },
    [runId, accounts, numbers],
  );
}

/** Notes what has become of a reversal that the ledger did not have: its row there, or, where there is none, what was done instead. */
export async function noteReversal(
  tx: Queryable,
  {
    runId,
    accounts,
    number,
    transactionIds,
    instead,
  }: { runId: string; accounts: readonly string[]; number: number; transactionIds: readonly string[]; instead: Action },
): Promise<void> {
  await tx.query(
    {
      text: `WITH booked AS (
               SELECT id FROM payment WHERE till_id = (SELECT till_id FROM provider_account WHERE id = ($3::uuid[])[1])
                 AND provider_transaction_id = ANY ($4::text[]) AND kind = 'reversal'
               ORDER BY array_position($4::text[], provider_transaction_id) LIMIT 1)
             UPDATE reconciliation_line SET payment_id = (SELECT id FROM booked),
               action = CASE WHEN EXISTS (SELECT 1 FROM booked) THEN 'booked_reversal' ELSE $5::reconciliation_action END
             WHERE reconciliation_id = $1 AND number = $2 AND payment_id IS NULL`,
    },
    [runId, number, accounts, transactionIds, instead],
  );
}

export interface WaitingReversal {
  readonly runId: string;
  readonly number: number;
  readonly transactionId: string;
  readonly reversedTransactionId: string;
  /** Senti. */
  readonly amount: bigint;
}

/** @returns the reversals that statements of these accounts have of these payments, and the ledger has not. */
export async function listWaitingReversals(
  db: Queryable,
  accounts: readonly string[],
  receipts: readonly string[],
): Promise<WaitingReversal[]> {
  return db.query<WaitingReversal>(
    {
      text: `SELECT l.reconciliation_id AS "runId", l.number, l.transaction_id AS "transactionId",
               l.reversed_transaction_id AS "reversedTransactionId", l.statement_amount AS amount
             FROM reconciliation_line l JOIN reconciliation r ON r.id = l.reconciliation_id
             WHERE l.reversed_transaction_id = ANY ($2::text[]) AND l.payment_id IS NULL AND l.finding = 'theirs_only'
               AND r.provider_account_id = ANY ($1::uuid[]) ORDER BY l.happened_at, l.reconciliation_id, l.number`,
    },
    [accounts, receipts],
  );
}

/** Notes that a reversal that waited for its payment is in the ledger now. */
export async function noteLateReversal(
  db: Queryable,
  accounts: readonly string[],
  { runId, number, transactionId, reversedTransactionId }: WaitingReversal,
): Promise<void> {
  await noteReversal(db, { runId, accounts, number, transactionIds: [transactionId, reversedTransactionId], instead: 'none' });
}

/** Notes which money that a statement does not have a person is asked about. */
export async function noteReviewed(tx: Queryable, runId: string, numbers: readonly number[]): Promise<void> {
  await tx.query(
    { text: "UPDATE reconciliation_line SET action = 'opened_review' WHERE reconciliation_id = $1 AND number = ANY ($2::int[])" },
    [runId, numbers],
  );
}
