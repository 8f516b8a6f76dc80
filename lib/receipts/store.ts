import type { Bill } from '@/lib/bills/rules';
import type { Environment } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { environment, int8, neverNull, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { ReceiptPayment } from './rules';

const FIND_BILL = statement({
  name: 'select-receipt',
  prepared: true,
  text: 'SELECT bill_id AS "billId" FROM receipt WHERE code = $code AND environment = $environment',
  parameters: { code: text, environment },
  columns: { billId: uuid },
});

export async function findBillOfCode(db: Queryable, environment: Environment, code: string): Promise<string | undefined> {
  return (await FIND_BILL.first(db, { code, environment }))?.billId;
}

/** Stores the receipt code of a bill. Changes nothing if the code or the bill already has a row. */
export async function insertReceipt(
  { prisma }: Connection,
  { code, bill, createdAt }: { code: string; bill: Pick<Bill, 'id' | 'merchantId' | 'environment'>; createdAt: Date },
): Promise<void> {
  const { id: billId, merchantId, environment } = bill;
  await prisma.receipt.createMany({ data: { code, merchantId, environment, billId, createdAt }, skipDuplicates: true });
}

const LIST_PAYMENTS = statement({
  name: "list the payments of a bill's receipt",
  text: `SELECT o.id, o.provider_transaction_id AS "transactionId", o.mobile, o.recorded_at AS "recordedAt",
           sum(a.amount) FILTER (WHERE p.kind = 'payment' OR c.corrects_id = o.id)::bigint AS received, sum(a.amount)::bigint AS kept
         FROM payment_allocation a JOIN payment p ON p.id = a.payment_id LEFT JOIN payment_correction c ON c.id = p.id
         JOIN payment o ON o.id = coalesce(p.reverses_id, c.payment_id, p.id)
         WHERE a.bill_id = $billId GROUP BY o.id
         HAVING sum(a.amount) FILTER (WHERE p.kind = 'payment' OR c.corrects_id = o.id) > 0 ORDER BY o.id`,
  parameters: { billId: uuid },
  columns: {
    id: neverNull(uuid),
    transactionId: neverNull(text),
    mobile: nullable(text),
    recordedAt: neverNull(timestamptz),
    received: int8,
    kept: int8,
  },
});

/**
 * Lists all payments that were allocated to a bill, in the order in which they were recorded. `kept` is what corrections and reversals
 * left.
 */
export async function listReceiptPayments(db: Queryable, billId: string): Promise<ReceiptPayment[]> {
  return LIST_PAYMENTS.rows(db, { billId });
}
