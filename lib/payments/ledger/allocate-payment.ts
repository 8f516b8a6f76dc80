import { recordEntry } from '@/lib/audit/record-entry';
import { findAnyBill } from '@/lib/bills/store';
import type { Actor } from '@/lib/core/actor';
import { isUuid, newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { findOpenRequest } from '@/lib/payments/reversals/requests/store';
import { findAccountOwner } from '@/lib/providers/accounts/account-store';
import type { Runtime } from '@/lib/runtime/runtime';
import { lockBalance } from './balance-store';
import { withBills } from './bookings';
import { insertAllocation } from './ledger-store';
import { findPaymentById } from './payment-store';

interface AllocatePaymentOptions {
  readonly paymentId: string;
  readonly billId: string;
  /** Senti; null for the whole unmatched amount. */
  readonly amount: Senti | null;
  readonly reason: string;
  readonly actor: Actor;
}

export type AllocationRefusal =
  | 'payment_not_found'
  | 'bill_not_found'
  /** A sandbox payment cannot pay a live bill, and a live payment cannot pay a sandbox bill. */
  | 'other_environment'
  /** The payment was made for another merchant, or to another merchant's own account. */
  | 'other_merchant'
  | 'marked_for_refund'
  /** A request to reverse the payment is open at the provider. */
  | 'reversal_open'
  /** The amount exceeds what is unmatched. */
  | 'more_than_unmatched';

/** Allocates unmatched money to a bill on an operator's order. Returns the allocated amount in senti. */
export async function allocatePayment(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { paymentId, billId, amount, reason, actor }: AllocatePaymentOptions,
): Promise<Result<Senti, AllocationRefusal>> {
  const { db } = runtime;
  const payment = isUuid(paymentId) ? await findPaymentById(db, paymentId) : undefined;
  if (!payment) return fail('payment_not_found');
  const bill = isUuid(billId) ? await findAnyBill(db, billId) : undefined;
  if (!bill) return fail('bill_not_found');
  if (bill.environment !== payment.environment) return fail('other_environment');
  const owner = payment.merchantId ?? (await findAccountOwner(db, payment.providerAccountId));
  if (owner !== null && owner !== bill.merchantId) return fail('other_merchant');

  return withBills(
    runtime,
    async () => [billId],
    async (tx, bookings, now): Promise<Result<Senti, AllocationRefusal>> => {
      const { unmatched, refundedOutside } = await lockBalance(tx, payment);
      if (refundedOutside) return fail('marked_for_refund');
      if (await findOpenRequest(tx, paymentId)) return fail('reversal_open');
      const taken = amount ?? unmatched;
      if (taken <= 0n || taken > unmatched) return fail('more_than_unmatched');
      await insertAllocation(tx, { id: newId(runtime), paymentId, bill, amount: taken, createdBy: actor.name, createdAt: now });
      const data = { by: actor.name, reason, payment: paymentId, transactionId: payment.transactionId, amount: taken.toString() };
      bookings.add(billId, { paid: taken, payer: payment.mobile, events: [{ type: 'payment.allocated', data }] });
      const { merchantId, environment } = bill;
      const about = { merchantId, environment, actor, action: 'payment.allocated', subject: paymentId };
      await recordEntry(runtime, { ...about, data: { bill: billId, amount: taken.toString(), reason } }, tx);
      return ok(taken);
    },
  );
}
