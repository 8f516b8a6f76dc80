import { reach } from '@/lib/config/fail-point';
import { newId } from '@/lib/core/ids';
import type { Queryable } from '@/lib/db/database';
import type { Attempt, Decision } from '@/lib/payments/rules';
import type { OutcomeSource } from '@/lib/providers/port/outcome';
import { openReview } from '@/lib/reviews/open-review';
import type { Runtime } from '@/lib/runtime/runtime';
import type { Bookings } from './bookings';
import { type Entered, insertAllocation, insertPayment } from './ledger-store';
import { reviewAmount } from './review-amount';

interface BookPaymentOptions {
  readonly attempt: Attempt;
  readonly accountId: string;
  readonly payment: NonNullable<Decision['payment']>;
  /** The provider gave no amount, so the amount is the attempt's. */
  readonly assumed: boolean;
  readonly source: OutcomeSource;
  readonly now: Date;
}

/** Inserts the payment of an attempt into the ledger, once, and books it on the bill. The caller writes the bookings. */
export async function bookPayment(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  tx: Queryable,
  bookings: Bookings,
  { attempt, accountId, payment, assumed, source, now }: BookPaymentOptions,
): Promise<Entered['kind']> {
  const { id: attemptId, billId, environment, merchantId } = attempt;
  const { transactionId, amount, late, allocate } = payment;
  const id = newId(runtime);
  const amountDiffers = amount !== attempt.amount;
  const entered = await insertPayment(tx, {
    id,
    attempt,
    providerAccountId: accountId,
    transactionId,
    amount,
    late,
    amountDiffers,
    recordedAt: now,
  });
  reach('payment.entered');
  const about = { attempt: attemptId, source, transactionId, amount: amount.toString() };
  const unmatched = entered.kind === 'unmatched' ? { id: entered.earlier.id, amount: entered.unmatched } : null;
  const bookable = entered.kind === 'inserted' ? { id, amount } : unmatched;
  if (bookable && allocate) {
    await insertAllocation(tx, {
      id: newId(runtime),
      paymentId: bookable.id,
      bill: { id: billId, environment, merchantId },
      amount: bookable.amount,
      createdBy: 'gateway',
      createdAt: now,
    });
    reach('payment.allocated');
    const flags = { ...(late && { late }), ...(amountDiffers && { asked: attempt.amount.toString() }) };
    const data = { ...about, payment: bookable.id, ...flags };
    bookings.add(billId, { paid: bookable.amount, payer: attempt.mobile, events: [{ type: 'payment.recorded', data }] });
  } else if (entered.kind === 'inserted') {
    bookings.add(billId, { events: [{ type: 'payment.unmatched', data: { ...about, payment: id } }] });
  } else if (entered.kind === 'conflict') {
    await reportConflict(runtime, tx, bookings, { attempt, data: { ...about, payment: entered.earlier.id }, now });
  }
  const differs = entered.kind !== 'inserted' && entered.earlier.amount !== amount && !assumed;
  if (differs) await reviewAmount(runtime, tx, bookings, { payment: entered.earlier, bills: [billId], reported: amount, source, now });
  return entered.kind;
}

/** Opens a review about a receipt that was reported for two attempts. */
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
