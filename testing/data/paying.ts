import { changeBill, lockBill } from '@/lib/gateway/bills/change-bill';
import { announceBills } from '@/lib/gateway/webhooks/announce-bill';
import { newId } from '@/lib/platform/core/ids';
import type { Queryable } from '@/lib/platform/db/database';
import type { TestRuntime } from '../runtime';

/**
 * Pays a part of a bill, as the product does when a provider reports a payment: a change of the bill's status creates a webhook.
 * @param amount senti. A negative amount reverses a payment of that amount.
 */
export async function pay(runtime: TestRuntime, billId: string, amount: bigint): Promise<void> {
  await runtime.db.transaction((tx) => payWithin(runtime, tx, billId, amount));
}

/** Works like `pay`, in the caller's transaction. */
export async function payWithin(runtime: TestRuntime, tx: Queryable, billId: string, amount: bigint): Promise<void> {
  const bill = await lockBill(tx, billId);
  const now = runtime.clock();
  const payment = newId(runtime);
  await tx.query(
    {
      text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, amount, recorded_at, reverses_id)
             SELECT $1::uuid, $2, $3, '00000000-0000-7000-8000-5a0db0c00001', $1::uuid::text, kind::payment_kind, abs($4::bigint), $5,
               CASE kind WHEN 'reversal' THEN (
                 SELECT p.id FROM payment p JOIN payment_allocation a ON a.payment_id = p.id
                 WHERE a.bill_id = $6 AND a.amount = -$4::bigint AND NOT EXISTS (SELECT 1 FROM payment r WHERE r.reverses_id = p.id) LIMIT 1) END
             FROM (SELECT CASE WHEN $4::bigint < 0 THEN 'reversal' ELSE 'payment' END) AS way(kind)`,
    },
    [payment, bill.environment, bill.merchantId, amount, now, billId],
  );
  await tx.query(
    {
      text: `INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, 'test', $7)`,
    },
    [newId(runtime), bill.merchantId, bill.environment, payment, billId, amount, now],
  );
  const changed = await changeBill(tx, bill, { paid: amount, released: 0n, payer: '0712345678', events: [], now });
  if (changed.statusEvent !== null) await announceBills(runtime, tx, [{ bill: changed.bill, eventNumber: changed.statusEvent }], now);
}

/** Changes a bill's status this many times, alternating between partly paid and not paid. */
export async function changeStatus(runtime: TestRuntime, billId: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await runtime.db.transaction(async (tx) => {
      const { paidAmount } = await lockBill(tx, billId);
      await payWithin(runtime, tx, billId, paidAmount > 0n ? -paidAmount : 100n);
    });
  }
}
