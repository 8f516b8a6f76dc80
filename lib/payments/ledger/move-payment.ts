import { isUuid } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { findOpenRequest } from '@/lib/payments/reversals/requests/store';
import { resolveWithin } from '@/lib/reviews/resolve-review';
import { lockReviewOfPayment } from '@/lib/reviews/store';
import type { Runtime } from '@/lib/runtime/runtime';
import type { AllocationRefusal } from './allocate-payment';
import { allocateToBill, findTarget } from './allocate-to-bill';
import { lockBalance } from './balance-store';
import { withBills } from './bookings';
import { listBillsOf } from './payment-store';
import { type CorrectionOrigin, writeCorrection } from './write-correction';

interface MovePaymentOptions extends CorrectionOrigin {
  readonly paymentId: string;
  /** The bill to which the payment really belongs. */
  readonly billId: string;
}

export type MoveRefusal = Exclude<AllocationRefusal, 'more_than_unmatched'> | 'nothing_to_move' | 'review_not_found';

/**
 * Allocates the whole remaining amount of a payment, without what was refunded outside Bili, to the given bill, when a person decides so. One correction removes the money from all
 * other bills. A second correction makes this money unmatched. Then a new allocation assigns the unmatched money to the given bill. Returns
 * the moved amount in senti.
 */
export async function movePayment(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { paymentId, billId, reason, actor, reviewId }: MovePaymentOptions,
): Promise<Result<Senti, MoveRefusal>> {
  const target = await findTarget(runtime.db, { paymentId, billId });
  if (!target.ok) return target;
  const { payment } = target.value;
  if (reviewId !== null && !isUuid(reviewId)) return fail('review_not_found');

  return withBills(
    runtime,
    async () => [...(await listBillsOf(runtime.db, payment.id)), billId],
    async (tx, bookings, now): Promise<Result<Senti, MoveRefusal>> => {
      const { received, allocated, unmatched, refundedOutside } = await lockBalance(tx, payment);
      if (await findOpenRequest(tx, payment.id)) return fail('reversal_open');
      if (reviewId !== null && !(await lockReviewOfPayment(tx, reviewId, payment.id))) return fail('review_not_found');
      const elsewhere = allocated.filter((share) => share.billId !== billId).map((share) => ({ ...share, amount: -share.amount }));
      const taken = elsewhere.reduce((sum, { amount }) => sum - amount, 0n);
      const moved = taken + unmatched;
      if (moved === 0n) return fail(refundedOutside > 0n ? 'marked_for_refund' : 'nothing_to_move');

      const correction = { payment, correctsId: payment.id, reason, actor, reviewId, shownOn: null, now };
      if (taken > 0n) {
        const less = received - taken;
        await writeCorrection(runtime, tx, bookings, { ...correction, from: received, to: less, shares: elsewhere });
        await writeCorrection(runtime, tx, bookings, { ...correction, from: less, to: received, shares: [] });
      }
      await allocateToBill(runtime, tx, bookings, { ...target.value, amount: moved, reason, actor, action: 'payment.moved', now });
      if (reviewId !== null) await resolveWithin(runtime, tx, { id: reviewId, resolution: reason, actor });
      return ok(moved);
    },
  );
}
