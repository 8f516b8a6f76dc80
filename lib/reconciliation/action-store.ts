import type { Connection, Queryable } from '@/lib/db/database';
import { array, int4, int8, neverNull, text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { Action } from './rules';
import { action } from './sql-types';

const RECORD_PAYMENTS = statement({
  name: 'record the payments of a statement',
  // Looks up each line in the ledger, without a join. A join could be slow: the planner's statistics are out of date after many inserts.
  text: `WITH found AS MATERIALIZED (
           SELECT number, (SELECT p.id FROM payment p WHERE p.till_id = (SELECT till_id FROM provider_account WHERE id = ($accounts::uuid[])[1])
                             AND p.provider_transaction_id = transaction_id AND p.kind = 'payment' LIMIT 1) AS payment_id
           FROM reconciliation_line
           WHERE reconciliation_id = $runId AND number = ANY ($numbers::int[]) AND finding = 'theirs_only' AND payment_id IS NULL)
         UPDATE reconciliation_line l SET payment_id = found.payment_id,
           action = CASE WHEN EXISTS (SELECT 1 FROM payment_allocation a WHERE a.payment_id = found.payment_id AND a.created_by = 'gateway')
             THEN 'settled_attempt'::reconciliation_action ELSE 'kept_unmatched' END
         FROM found WHERE l.reconciliation_id = $runId AND l.number = found.number AND found.payment_id IS NOT NULL`,
  parameters: { runId: uuid, accounts: array(uuid), numbers: array(int4) },
  columns: {},
});

/**
 * Records, for each statement line in `numbers`, which payment was booked, and whether it was booked for an attempt.
 * @param accounts the ids of all provider accounts that share the till of the statement.
 */
export async function recordPayments(tx: Queryable, runId: string, accounts: readonly string[], numbers: readonly number[]): Promise<void> {
  await RECORD_PAYMENTS.rows(tx, { runId, accounts, numbers });
}

const RECORD_REVERSAL = statement({
  name: 'record the reversal of a statement',
  text: `WITH till AS (SELECT till_id AS id FROM provider_account WHERE id = ($accounts::uuid[])[1]), entry AS (
           SELECT r.id, 'booked_reversal'::reconciliation_action AS action FROM payment r
           WHERE r.till_id = (SELECT id FROM till) AND r.provider_transaction_id = $transactionId AND r.kind = 'reversal'
           UNION ALL SELECT r.id, $fallback FROM reversal_receipt n JOIN payment r ON r.id = n.payment_id
           WHERE r.till_id = (SELECT id FROM till) AND n.provider_transaction_id = $transactionId LIMIT 1)
         UPDATE reconciliation_line SET payment_id = (SELECT id FROM entry),
           action = coalesce((SELECT action FROM entry), $fallback::reconciliation_action)
         WHERE reconciliation_id = $runId AND number = $number AND payment_id IS NULL`,
  parameters: { runId: uuid, number: int4, accounts: array(uuid), transactionId: text, fallback: action },
  columns: {},
});

/**
 * Records, for a statement line, which reversal was booked. If no reversal was booked, or if the reversal was booked earlier without this
 * receipt number, records `fallback` as the action.
 */
export async function recordReversal(tx: Queryable, reversal: Parameters<typeof RECORD_REVERSAL.rows>[1]): Promise<void> {
  await RECORD_REVERSAL.rows(tx, reversal);
}

const LIST_WAITING_REVERSALS = statement({
  name: 'list waiting reversals',
  text: `SELECT l.reconciliation_id AS "runId", l.number, l.transaction_id AS "transactionId",
           l.reversed_transaction_id AS "reversedTransactionId", l.statement_amount AS amount
         FROM reconciliation_line l JOIN reconciliation r ON r.id = l.reconciliation_id
         WHERE l.reversed_transaction_id = ANY ($receipts::text[]) AND l.payment_id IS NULL AND l.finding = 'theirs_only'
           AND r.provider_account_id = ANY ($accounts::uuid[]) ORDER BY l.happened_at, l.reconciliation_id, l.number`,
  parameters: { accounts: array(uuid), receipts: array(text) },
  columns: { runId: uuid, number: int4, transactionId: text, reversedTransactionId: neverNull(text), amount: neverNull(int8) },
});

/**
 * Lists reversals that statements of these accounts contain, but the ledger lacks. Amounts are senti.
 * @param receipts only reversals of payments with these receipt numbers.
 */
export async function listWaitingReversals(db: Queryable, accounts: readonly string[], receipts: readonly string[]) {
  return LIST_WAITING_REVERSALS.rows(db, { accounts, receipts });
}

export async function recordAction(
  { prisma }: Connection,
  { runId, number, action }: { readonly runId: string; readonly number: number; readonly action: Action },
): Promise<void> {
  await prisma.reconciliationLine.updateMany({ where: { reconciliationId: runId, number, action: { not: action } }, data: { action } });
}
