import { type AuditEntry, recordEntry } from '@/lib/audit/record-entry';
import { lockBalance } from '@/lib/payments/ledger/balance-store';
import { withBills } from '@/lib/payments/ledger/bookings';
import { type LedgerPayment, listBillsOf } from '@/lib/payments/ledger/payment-store';
import type { ReversalRequest } from '@/lib/payments/reversals/requests/rules';
import { endRequest } from '@/lib/payments/reversals/requests/store';
import type { FailureReason } from '@/lib/providers/port/outcome';
import type { Runtime } from '@/lib/runtime/runtime';

/** Fails a reversal request that has moved no money, and adds an event to the payment's bills. Returns false if it was already settled. */
export async function failReversal(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  request: Pick<ReversalRequest, 'id' | 'amount'>,
  payment: LedgerPayment,
  { reason, by, audit }: { reason: FailureReason; by: string; audit?: AuditEntry },
): Promise<boolean> {
  return withBills(
    runtime,
    () => listBillsOf(runtime.db, payment.id),
    async (tx, bookings, now) => {
      // Lock order everywhere: first the payment, then its request.
      const { allocated } = await lockBalance(tx, payment);
      if (!(await endRequest(tx, request.id, { state: 'FAILED', failureReason: reason, now, by }))) return false;
      if (audit) await recordEntry(runtime, audit, tx);
      const data = { reason, payment: payment.id, transactionId: payment.transactionId, amount: request.amount.toString() };
      for (const { billId } of allocated) bookings.add(billId, { events: [{ type: 'reversal.failed', data }] });
      return true;
    },
  );
}
