import type { Queryable } from '@/lib/db/database';
import { bookPayments, type ReportedPayment } from '@/lib/payments/ledger/book-payment';
import { bookReversalOf } from '@/lib/payments/ledger/book-reversal';
import type { Bookings } from '@/lib/payments/ledger/bookings';
import type { Entered } from '@/lib/payments/ledger/ledger-store';
import { findPayment } from '@/lib/payments/ledger/payment-store';
import { hasPayment } from '@/lib/payments/ledger/receipt-store';
import { reviewReversal } from '@/lib/payments/ledger/review-reversal';
import { queryAgain } from '@/lib/payments/move-store';
import type { Decision } from '@/lib/payments/rules';
import type { Outcome } from '@/lib/providers/port/outcome';
import { waitForAll } from '@/lib/queues/wait-for-all';
import { closeReviews, type SettledReview } from '@/lib/reviews/store';
import type { Runtime } from '@/lib/runtime/runtime';

type Needs = Pick<Runtime, 'clock' | 'random'>;
type Decided = Pick<ReportedPayment, 'attempt' | 'source' | 'log'> & {
  readonly decision: Decision;
  readonly outcome: Outcome;
  readonly providerAccountId: string | null;
};
type Booked = ReportedPayment & Pick<Decided, 'outcome'>;

/** Books the payments and reversals that outcomes report. The caller has locked the bills and the attempts. */
export async function bookOutcomes(
  runtime: Needs,
  tx: Queryable,
  bookings: Bookings,
  decided: readonly Decided[],
  now: Date,
): Promise<void> {
  const reported: Booked[] = [];
  for (const { attempt, decision, outcome, source, log, ...one } of decided) {
    const providerAccountId = one.providerAccountId ?? attempt.providerAccountId;
    if (!decision.payment || providerAccountId === null) continue;
    const fee = outcome.kind === 'paid' ? (outcome.fee ?? null) : null;
    const happenedAt = outcome.kind === 'paid' || outcome.kind === 'reversed' ? (outcome.happenedAt ?? null) : null;
    const assumed = (outcome.kind === 'paid' || outcome.kind === 'reversed') && outcome.assumed === true;
    // A callback may have reported this attempt as paid with the receipt number of another attempt. The attempt has then succeeded without
    // a payment of its own. So this payment is allocated if the attempt has no payment yet.
    const allocate = decision.payment.allocate || !(await hasPayment(tx, attempt.id));
    reported.push({ ...decision.payment, allocate, attempt, providerAccountId, assumed, fee, happenedAt, outcome, source, log });
  }
  if (reported.length === 0) return;
  const results = await bookPayments(runtime, tx, bookings, reported, now);
  await closeReviews(tx, results.flatMap(settledReview), now);
  await waitForAll(results.map(({ payment, entered }) => followUp(runtime, tx, bookings, { payment, entered, now })));
}

interface Result {
  readonly payment: Booked;
  readonly entered: Entered;
  readonly now: Date;
}

/** Returns the review that is closed because a status query has answered its question. */
function settledReview({ payment, entered }: { readonly payment: Booked; readonly entered: Entered }): SettledReview[] {
  const { attempt, transactionId, outcome, source } = payment;
  if (source !== 'status') return [];
  const about = { attemptId: attempt.id, resolvedBy: 'gateway' };
  if (entered.kind === 'inserted')
    return [{ ...about, kind: 'receipt_conflict', resolution: `queried again, the provider reports receipt ${transactionId}` }];
  if (entered.kind !== 'known' || attempt.state !== 'SUCCEEDED') return [];
  return [{ ...about, kind: 'contradiction', resolution: `queried again, the provider reports: ${outcome.kind}` }];
}

async function followUp(runtime: Needs, tx: Queryable, bookings: Bookings, { payment: booked, entered, now }: Result): Promise<void> {
  const { attempt, providerAccountId, outcome, source, log } = booked;
  const attemptId = attempt.id;
  // A callback may contain a wrong receipt number. A status query gets the right one.
  if (entered.kind === 'conflict' && source === 'callback') await queryAgain(tx, attemptId, now);
  if (outcome.kind !== 'reversed') return;
  const payment = await findPayment(tx, providerAccountId, outcome.transactionId);
  if (!payment) throw new Error(`payment ${outcome.transactionId} is not in the ledger after it was booked`);
  const { reversed: amount, reversalTransactionId, reversedAt: happenedAt = null } = outcome;
  const reported = { amount, reversalTransactionId, happenedAt, source };
  const reversal = await bookReversalOf({ ...runtime, log }, tx, bookings, { payment, ...reported, now });
  if (reversal === 'exceeds' || reversal === 'differs')
    await reviewReversal({ ...runtime, log }, tx, { payment, booked: reversal, amount, reversalTransactionId, source, now });
}
