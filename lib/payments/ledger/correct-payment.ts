import { recordEntry } from '@/lib/audit/record-entry';
import { isUuid } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { findOpenRequest } from '@/lib/payments/reversals/requests/store';
import { findAttempt } from '@/lib/payments/store';
import { resolveWithin } from '@/lib/reviews/resolve-review';
import { lockReviewOfPayment } from '@/lib/reviews/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { lockBalance, readBalance } from './balance-store';
import { withBills } from './bookings';
import { splitCorrection } from './correction-rules';
import { type BillShare, findCorrectable, listAttached, listTaken } from './correction-store';
import { findPaymentById, listBillsOf } from './payment-store';
import { type CorrectionOrigin, writeCorrection } from './write-correction';

interface CorrectPaymentOptions extends CorrectionOrigin {
  /** The id of a payment or a reversal. */
  readonly entryId: string;
  /** The true amount, senti; 0 if the payment or reversal never happened. */
  readonly to: Senti;
}

export type CorrectionRefusal =
  | 'not_found'
  /** The ledger already has this amount. */
  | 'nothing_to_correct'
  /** A request to reverse the payment is open at the provider. */
  | 'reversal_open'
  /** The reversals would exceed the corrected payment. */
  | 'more_than_left'
  /** The payment has no open review with this id. */
  | 'review_not_found';

interface Corrected {
  readonly from: Senti;
  readonly to: Senti;
  /** The change of each bill; negative if the bill lost money. */
  readonly bills: readonly BillShare[];
  /** The part of the payment that no bill has now, senti. */
  readonly unmatched: Senti;
}

/**
 * Corrects the amount of a payment or a reversal by a new ledger entry, when a person decides so. The bills change accordingly, with
 * their status events and webhooks. The review `reviewId` is closed in the same transaction.
 */
export async function correctPayment(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { entryId, to, reason, actor, reviewId }: CorrectPaymentOptions,
): Promise<Result<Corrected, CorrectionRefusal>> {
  const { db } = runtime;
  const entry = isUuid(entryId) ? await findCorrectable(db, entryId) : undefined;
  const payment = entry && (await findPaymentById(db, entry.paymentId));
  if (!entry || !payment) return fail('not_found');
  if (reviewId !== null && !isUuid(reviewId)) return fail('review_not_found');
  const shownOn = payment.attemptId === null ? null : ((await findAttempt(db, payment.attemptId))?.billId ?? null);

  return withBills(
    runtime,
    async () => [...(await listBillsOf(db, payment.id)), ...(shownOn === null ? [] : [shownOn])],
    async (tx, bookings, now): Promise<Result<Corrected, CorrectionRefusal>> => {
      const balance = await lockBalance(tx, payment);
      if (await findOpenRequest(tx, payment.id)) return fail('reversal_open');
      if (reviewId !== null && !(await lockReviewOfPayment(tx, reviewId, payment.id))) return fail('review_not_found');
      const reversal = balance.reversals.find(({ id }) => id === entry.id);
      const from = reversal?.amount ?? balance.received;
      if (to === from) return fail('nothing_to_correct');
      const had = reversal ? await listTaken(tx, reversal.id) : await listAttached(tx, payment.id);
      const shares = splitCorrection(balance, { correctsId: entry.id, amount: to - from, had });
      if (shares === null) return fail('more_than_left');

      const origin = { reason, actor, reviewId };
      await writeCorrection(runtime, tx, bookings, { ...origin, payment, correctsId: entry.id, from, to, shares, shownOn, now });
      const { merchantId, environment } = payment;
      const about = { merchantId, environment, actor, action: 'payment.corrected', subject: payment.id };
      const amounts = { before: { amount: from.toString() }, after: { amount: to.toString() } };
      const data = { entry: entry.id, ...amounts, reason, ...(reviewId !== null && { review: reviewId }) };
      await recordEntry(runtime, { ...about, data }, tx);
      if (reviewId !== null) await resolveWithin(runtime, tx, { id: reviewId, resolution: reason, actor });
      const { unmatched } = await readBalance(tx, payment);
      return ok({ from, to, bills: shares, unmatched });
    },
  );
}
