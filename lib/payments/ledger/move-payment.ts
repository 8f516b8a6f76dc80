import { recordEntry } from '@/lib/audit/record-entry';
import { findAnyBill } from '@/lib/bills/store';
import { isUuid, newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { findOpenRequest } from '@/lib/payments/reversals/requests/store';
import { findAccountOwner } from '@/lib/providers/accounts/account-store';
import { resolveWithin } from '@/lib/reviews/resolve-review';
import { lockReviewOfPayment } from '@/lib/reviews/store';
import type { Runtime } from '@/lib/runtime/runtime';
import type { AllocationRefusal } from './allocate-payment';
import { lockBalance } from './balance-store';
import { withBills } from './bookings';
import { insertAllocation } from './ledger-store';
import { findPaymentById, listBillsOf } from './payment-store';
import { type CorrectionOrigin, writeCorrection } from './write-correction';

interface MovePaymentOptions extends CorrectionOrigin {
  readonly paymentId: string;
  /** The bill to which the payment really belongs. */
  readonly billId: string;
}

export type MoveRefusal = Exclude<AllocationRefusal, 'more_than_unmatched'> | 'nothing_to_move' | 'review_not_found';

/**
 * Allocates all that is left of a payment to one bill, on a person's order. One correction takes the money off its present bills, a
 * second one makes it unmatched, and a new allocation gives it to the bill. Returns the moved amount in senti.
 */
export async function movePayment(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { paymentId, billId, reason, actor, reviewId }: MovePaymentOptions,
): Promise<Result<Senti, MoveRefusal>> {
  const { db } = runtime;
  const payment = isUuid(paymentId) ? await findPaymentById(db, paymentId) : undefined;
  if (!payment) return fail('payment_not_found');
  const bill = isUuid(billId) ? await findAnyBill(db, billId) : undefined;
  if (!bill) return fail('bill_not_found');
  if (bill.environment !== payment.environment) return fail('other_environment');
  const owner = payment.merchantId ?? (await findAccountOwner(db, payment.providerAccountId));
  if (owner !== null && owner !== bill.merchantId) return fail('other_merchant');
  if (reviewId !== null && !isUuid(reviewId)) return fail('review_not_found');

  return withBills(
    runtime,
    async () => [...(await listBillsOf(db, payment.id)), billId],
    async (tx, bookings, now): Promise<Result<Senti, MoveRefusal>> => {
      const { received, allocated, unmatched, refundedOutside } = await lockBalance(tx, payment);
      if (refundedOutside) return fail('marked_for_refund');
      if (await findOpenRequest(tx, payment.id)) return fail('reversal_open');
      if (reviewId !== null && !(await lockReviewOfPayment(tx, reviewId, payment.id))) return fail('review_not_found');
      const elsewhere = allocated.filter((share) => share.billId !== billId).map((share) => ({ ...share, amount: -share.amount }));
      const taken = elsewhere.reduce((sum, { amount }) => sum - amount, 0n);
      const moved = taken + unmatched;
      if (moved === 0n) return fail('nothing_to_move');

      const correction = { payment, correctsId: payment.id, reason, actor, reviewId, shownOn: null, now };
      if (taken > 0n) {
        const less = received - taken;
        await writeCorrection(runtime, tx, bookings, { ...correction, from: received, to: less, shares: elsewhere });
        await writeCorrection(runtime, tx, bookings, { ...correction, from: less, to: received, shares: [] });
      }
      await insertAllocation(tx, { id: newId(runtime), paymentId, bill, amount: moved, createdBy: actor.name, createdAt: now });
      const data = { by: actor.name, reason, payment: paymentId, transactionId: payment.transactionId, amount: moved.toString() };
      bookings.add(billId, { paid: moved, payer: payment.mobile, events: [{ type: 'payment.allocated', data }] });
      const { merchantId, environment } = bill;
      const about = { merchantId, environment, actor, action: 'payment.moved', subject: paymentId };
      await recordEntry(runtime, { ...about, data: { bill: billId, amount: moved.toString(), reason } }, tx);
      if (reviewId !== null) await resolveWithin(runtime, tx, { id: reviewId, resolution: reason, actor });
      return ok(moved);
    },
  );
}
