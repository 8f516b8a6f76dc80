import type { Bill } from '@/lib/bills/rules';
import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import type { ReceiptPayment } from './rules';

/** @returns the id of the bill that a code belongs to. */
export async function findBillOfCode(db: Queryable, environment: Environment, code: string): Promise<string | undefined> {
  const [row] = await db.query<{ billId: string }>(
    { name: 'select-receipt', text: 'SELECT bill_id AS "billId" FROM receipt WHERE code = $1 AND environment = $2' },
    [code, environment],
  );
  return row?.billId;
}

/** Keeps which bill a code belongs to; what is there already stays. */
export async function insertReceipt(
  db: Queryable,
  { code, bill, createdAt }: { code: string; bill: Pick<Bill, 'id' | 'merchantId' | 'environment'>; createdAt: Date },
): Promise<void> {
  await db.query(
    {
      text: `INSERT INTO receipt (code, merchant_id, environment, bill_id, created_at) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (code) DO NOTHING`,
    },
    [code, bill.merchantId, bill.environment, bill.id, createdAt],
  );
}

/** @returns every payment that the bill got something of, corrections counted, in the order in which they came, with what is still there of each. */
export async function listReceiptPayments(db: Queryable, billId: string): Promise<ReceiptPayment[]> {
  return db.query<ReceiptPayment>(
    {
      text: `SELECT o.id, o.provider_transaction_id AS "transactionId", o.mobile, o.recorded_at AS "recordedAt",
               sum(a.amount) FILTER (WHERE p.kind = 'payment' OR c.corrects_id = o.id)::bigint AS came, sum(a.amount)::bigint AS kept
             FROM payment_allocation a JOIN payment p ON p.id = a.payment_id LEFT JOIN payment_correction c ON c.id = p.id
             JOIN payment o ON o.id = coalesce(p.reverses_id, c.payment_id, p.id)
             WHERE a.bill_id = $1 GROUP BY o.id
             HAVING sum(a.amount) FILTER (WHERE p.kind = 'payment' OR c.corrects_id = o.id) > 0 ORDER BY o.id`,
    },
    [billId],
  );
}
