import type { Senti } from '@/lib/platform/core/money';
import type { Environment } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import { payment, paymentAllocation, receipt } from '@/lib/platform/db/generated/tables';
import { int8, neverNull, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { ReceiptPayment, ReceiptReturn } from './rules';

const FIND_BILL = statement({
  name: 'select-receipt',
  prepared: true,
  text: 'SELECT bill_id AS "billId" FROM receipt WHERE code = $code AND environment = $environment',
  parameters: pick(receipt, 'code environment'),
  columns: { billId: receipt.billId },
});

export async function findBillOfCode(db: Queryable, environment: Environment, code: string): Promise<string | undefined> {
  return (await FIND_BILL.first(db, { code, environment }))?.billId;
}

const LIST_PAYMENTS = statement({
  name: "list the payments of a bill's receipt",
  text: `SELECT o.id, o.provider_transaction_id AS "transactionId", o.source, o.mobile, o.recorded_at AS "recordedAt",
           sum(a.amount) FILTER (WHERE p.kind = 'payment' OR c.corrects_id = o.id)::bigint AS received, sum(a.amount)::bigint AS kept
         FROM payment_allocation a JOIN payment p ON p.id = a.payment_id LEFT JOIN payment_correction c ON c.id = p.id
         JOIN payment o ON o.id = coalesce(p.reverses_id, c.payment_id, p.id)
         WHERE a.bill_id = $billId GROUP BY o.id
         HAVING sum(a.amount) FILTER (WHERE p.kind = 'payment' OR c.corrects_id = o.id) > 0 ORDER BY o.id`,
  parameters: { billId: paymentAllocation.billId },
  columns: { ...pick(payment, 'id source mobile recordedAt'), transactionId: payment.providerTransactionId, received: int8, kept: int8 },
});

const LIST_RETURNS = statement({
  name: 'list what went back of the money of a bill',
  text: `SELECT r.id, coalesce(r.happened_at, r.recorded_at) AS "returnedAt", -sum(a.amount)::bigint AS amount
         FROM payment_allocation a LEFT JOIN payment_correction c ON c.id = a.payment_id
         JOIN payment r ON r.id = coalesce(c.corrects_id, a.payment_id)
         WHERE a.bill_id = $billId AND r.kind IN ('reversal', 'refund') GROUP BY r.id HAVING sum(a.amount) < 0 ORDER BY r.id`,
  parameters: { billId: paymentAllocation.billId },
  columns: { id: payment.id, returnedAt: neverNull(timestamptz), amount: int8 },
});

/** Lists what went back of a bill's money, corrections included, the oldest first. Amounts are senti. */
export async function listReturns(
  db: Queryable,
  { id, reversedAmount }: { readonly id: string; readonly reversedAmount: Senti },
): Promise<ReceiptReturn[]> {
  return reversedAmount > 0n ? LIST_RETURNS.rows(db, { billId: id }) : [];
}

/**
 * Lists all payments that were allocated to a bill, in the order in which they were recorded. `kept` is what corrections and reversals
 * left.
 */
export async function listReceiptPayments(db: Queryable, billId: string): Promise<ReceiptPayment[]> {
  return LIST_PAYMENTS.rows(db, { billId });
}
