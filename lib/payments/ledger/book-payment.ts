import { reach } from '@/lib/config/fail-point';
import { newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import type { Queryable } from '@/lib/db/database';
import type { Log } from '@/lib/log/log';
import type { Attempt } from '@/lib/payments/rules';
import type { OutcomeSource } from '@/lib/providers/port/outcome';
import { openReview } from '@/lib/reviews/open-review';
import type { Runtime } from '@/lib/runtime/runtime';
import type { Bookings } from './bookings';
import { type Entered, insertAllocations, insertPayments, recordFee } from './ledger-store';
import { reviewAmount } from './review-amount';

export interface ReportedPayment {
  readonly attempt: Attempt;
  readonly providerAccountId: string;
  readonly transactionId: string;
  readonly amount: Senti;
  readonly late: boolean;
  /** True if the payment must be allocated to the bill of its attempt. Otherwise the payment is unmatched. */
  readonly allocate: boolean;
  /** Whether the provider gave no amount. The payment then has the amount of the attempt. */
  readonly assumed: boolean;
  /** The fee that the provider kept of the amount; null if the provider does not report one. */
  readonly fee: Senti | null;
  /** When the customer paid, as the provider says; null if it does not say so. */
  readonly happenedAt: Date | null;
  readonly source: OutcomeSource;
  readonly log: Log;
}

/**
 * Inserts the payments of attempts into the ledger, each once. Adds what changes on the bills to `bookings`, which the calling function
 * must then write. Returns each payment with the result of its insertion.
 */
export async function bookPayments<Reported extends ReportedPayment>(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  tx: Queryable,
  bookings: Bookings,
  reported: readonly Reported[],
  now: Date,
): Promise<{ readonly payment: Reported; readonly entered: Entered }[]> {
  const results = await insertPayments(
    tx,
    reported.map((one) => ({ ...one, id: newId(runtime), amountDiffers: one.amount !== one.attempt.amount, recordedAt: now })),
  );
  reach('payment.entered');
  const allocations: Parameters<typeof insertAllocations>[1][number][] = [];
  for (const { payment, entered } of results) {
    const { id, attempt, amount, transactionId, late, amountDiffers, source, log } = payment;
    const { billId, environment, merchantId } = attempt;
    const about = { attempt: attempt.id, source, transactionId, amount: amount.toString() };
    if (payment.fee !== null && (entered.kind === 'known' || entered.kind === 'unmatched'))
      await recordFee(tx, { paymentId: entered.earlier.id, fee: payment.fee, now });
    const unmatched = entered.kind === 'unmatched' ? { id: entered.earlier.id, amount: entered.unmatched } : null;
    const bookable = entered.kind === 'inserted' ? { id, amount } : unmatched;
    if (bookable && payment.allocate) {
      const bill = { id: billId, environment, merchantId };
      const allocation = { id: newId(runtime), paymentId: bookable.id, bill, amount: bookable.amount };
      allocations.push({ ...allocation, createdBy: 'gateway', createdAt: now });
      const flags = { ...(late && { late }), ...(amountDiffers && { asked: attempt.amount.toString() }) };
      const data = { ...about, payment: bookable.id, ...flags };
      bookings.add(billId, { paid: bookable.amount, payer: attempt.mobile, events: [{ type: 'payment.recorded', data }] });
    } else if (entered.kind === 'inserted') {
      bookings.add(billId, { events: [{ type: 'payment.unmatched', data: { ...about, payment: id } }] });
    } else if (entered.kind === 'conflict') {
      await reportConflict({ ...runtime, log }, tx, bookings, { attempt, data: { ...about, payment: entered.earlier.id }, now });
    }
    if (entered.kind === 'inserted' || entered.earlier.amount === amount || payment.assumed) continue;
    await reviewAmount({ ...runtime, log }, tx, bookings, { payment: entered.earlier, bills: [billId], reported: amount, source, now });
  }
  if (allocations.length > 0) {
    await insertAllocations(tx, allocations);
    reach('payment.allocated');
  }
  return results;
}

/** Opens a review about a receipt number that was reported for two attempts. */
async function reportConflict(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  tx: Queryable,
  bookings: Bookings,
  { attempt, data, now }: { attempt: Attempt; data: Readonly<Record<string, string>>; now: Date },
): Promise<void> {
  const { id: attemptId, billId, environment, merchantId } = attempt;
  const about = { environment, merchantId, kind: 'receipt_conflict', attemptId } as const;
  if ((await openReview(tx, { id: newId(runtime), ...about, data, openedAt: now })) === 'repeated') return;
  bookings.add(billId, { events: [{ type: 'payment.conflict', data }] });
  runtime.log.error(
    { attemptId, billId, transactionId: data.transactionId },
    'two attempts were reported with the same receipt; see: bili review list',
  );
}
