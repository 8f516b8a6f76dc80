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

/**
 * Notes what has become of a reversal that the ledger did not have: its row there, or, where there is none, what was done instead.
 * A row that was booked before it had this receipt was not booked for this line.
 */
export async function noteReversal(
  tx: Queryable,
  {
    runId,
    accounts,
    number,
    transactionId,
    instead,
  }: { runId: string; accounts: readonly string[]; number: number; transactionId: string; instead: Action },
): Promise<void> {
  await tx.query(
    {
      text: `WITH till AS (SELECT till_id AS id FROM provider_account WHERE id = ($3::uuid[])[1]), entry AS (
               SELECT r.id, 'booked_reversal'::reconciliation_action AS action FROM payment r
               WHERE r.till_id = (SELECT id FROM till) AND r.provider_transaction_id = $4 AND r.kind = 'reversal'
               UNION ALL SELECT r.id, $5 FROM reversal_receipt n JOIN payment r ON r.id = n.payment_id
               WHERE r.till_id = (SELECT id FROM till) AND n.provider_transaction_id = $4 LIMIT 1)
             UPDATE reconciliation_line SET payment_id = (SELECT id FROM entry),
               action = coalesce((SELECT action FROM entry), $5::reconciliation_action)
             WHERE reconciliation_id = $1 AND number = $2 AND payment_id IS NULL`,
    },
    [runId, number, accounts, transactionId, instead],
  );
}

interface WaitingReversal {
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

/** Notes what was done about a line. */
export async function noteAction(
  tx: Queryable,
  { runId, number, action }: { runId: string; number: number; action: Action },
): Promise<void> {
  await tx.query({ text: 'UPDATE reconciliation_line SET action = $3 WHERE reconciliation_id = $1 AND number = $2 AND action <> $3' }, [
    runId,
    number,
    action,
  ]);
}
