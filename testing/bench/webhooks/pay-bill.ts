import { changeBill, lockBill } from '@/lib/gateway/bills/change-bill';
import { announceBills } from '@/lib/gateway/webhooks/announce-bill';
import { newId } from '@/lib/platform/core/ids';
import type { Runtime } from '@/lib/platform/runtime/runtime';

/** The sandbox provider's account, which the migration creates. */
const ACCOUNT = '00000000-0000-7000-8000-5a0db0c00001';

/**
 * Pays a bill in full and creates the delivery, as the product does when a provider reports a payment. Returns the monotonic time just
 * before the commit, milliseconds.
 */
export async function payBill(runtime: Runtime, billId: string): Promise<number> {
  return runtime.db.transaction(async (tx) => {
    const bill = await lockBill(tx, billId);
    const [payment, now] = [newId(runtime), runtime.clock()];
    await tx.query(
      {
        name: 'bench-payment',
        text: `INSERT INTO payment (id, environment, merchant_id, provider_account_id, provider_transaction_id, kind, amount, recorded_at)
               VALUES ($1, $2, $3, $4, $7, 'payment', $5, $6)`,
      },
      [payment, bill.environment, bill.merchantId, ACCOUNT, bill.amount, now, payment],
    );
    await tx.query(
      {
        name: 'bench-allocation',
        text: `INSERT INTO payment_allocation (id, merchant_id, environment, payment_id, bill_id, amount, created_by, created_at)
               VALUES ($1, $2, $3, $4, $5, $6, 'bench', $7)`,
      },
      [newId(runtime), bill.merchantId, bill.environment, payment, billId, bill.amount, now],
    );
    const changed = await changeBill(tx, bill, { paid: bill.amount, released: 0n, payer: '0712345678', events: [], now });
    if (changed.statusEvent === null) throw new Error(`bill ${billId} was paid before`);
    await announceBills(runtime, tx, [{ bill: changed.bill, eventNumber: changed.statusEvent }], now);
    return Number(process.hrtime.bigint()) / 1e6;
  });
}
