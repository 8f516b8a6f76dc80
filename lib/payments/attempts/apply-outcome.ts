import { type AuditEntry, recordEntry } from '@/lib/audit/record-entry';
import { reach } from '@/lib/config/fail-point';
import { newId } from '@/lib/core/ids';
import type { Queryable } from '@/lib/db/database';
import { recorder } from '@/lib/metrics/recorder';
import { bookPayment } from '@/lib/payments/ledger/book-payment';
import { bookReversalOf } from '@/lib/payments/ledger/book-reversal';
import { type Bookings, withBills } from '@/lib/payments/ledger/bookings';
import { findPayment, listBillsOf } from '@/lib/payments/ledger/payment-store';
import { hasPayment } from '@/lib/payments/ledger/receipt-store';
import { reviewReversal } from '@/lib/payments/ledger/review-reversal';
import { markAcknowledged, moveAttempt, queryAgain, rescheduleAttempt } from '@/lib/payments/move-store';
import { nextQueryOfSettled } from '@/lib/payments/query-times';
import { type Attempt, type Decision, decide, type Pace, reserves } from '@/lib/payments/rules';
import { isOpen } from '@/lib/payments/state';
import { lockAttempt, lockAttemptForMessage } from '@/lib/payments/store';
import type { Outcome, OutcomeSource } from '@/lib/providers/port/outcome';
import { openReview } from '@/lib/reviews/open-review';
import { closeReviews } from '@/lib/reviews/store';
import type { Runtime } from '@/lib/runtime/runtime';

interface ApplyOutcomeOptions {
  readonly attempt: Pick<Attempt, 'id' | 'billId'>;
  readonly providerAccountId: string | null;
  readonly outcome: Outcome;
  readonly pace: Pace;
  readonly source: OutcomeSource;
  /** The fencing token of the caller's lease; null if the caller has none. */
  readonly leaseToken: number | null;
  /** The stored provider message that contains the outcome. It is marked as handled in the same transaction. */
  readonly messageId?: string | undefined;
  /** The audit entry of the person who reports the outcome. It is written in the same transaction. */
  readonly audit?: AuditEntry;
}

/** Outcomes that only the worker with the current lease may apply. */
const NEGATIVE: readonly Outcome['kind'][] = ['not_sent', 'overtaken', 'withdrawn', 'not_found'];

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>;

/**
 * Applies an outcome to an attempt. Every answer, callback, status query, statement line and operator's decision goes through here.
 * One transaction under the bill's lock moves the attempt by compare-and-set, records the payment and books it on the bill, numbers
 * the events and inserts the webhook delivery.
 */
export async function applyOutcome(runtime: Needs, options: ApplyOutcomeOptions): Promise<void> {
  const moved = await withBills(
    runtime,
    () => listAffectedBills(runtime, options),
    async (tx, bookings, now) => {
      const { outcome, pace, source, leaseToken, messageId } = options;
      const { id } = options.attempt;
      const attempt = messageId === undefined ? await lockAttempt(tx, id) : await lockAttemptForMessage(tx, { id, messageId, now });
      if (!attempt) throw new Error(`attempt ${id} does not exist`);
      // Ignores negative results and own decisions of a worker that has lost its lease, because another worker may have acted since.
      if ((NEGATIVE.includes(outcome.kind) || source === 'gateway') && leaseToken !== attempt.leaseToken) return null;
      // An answer changes no due time here: a callback has settled the attempt first, and has scheduled the queries that follow.
      if (leaseToken !== null && source !== 'answer' && !isOpen(attempt.state)) {
        const dueAt = source === 'status' ? nextQueryOfSettled(attempt, outcome, pace, now) : null;
        await rescheduleAttempt(tx, attempt, leaseToken, { dueAt, providerReference: attempt.providerReference, now });
      }
      if (options.audit) await recordEntry(runtime, options.audit, tx);
      const decision = decide(attempt, outcome, pace, now);
      if (decision === null) return null;
      await move(runtime, tx, bookings, { ...options, attempt, decision, now });
      reach('outcome.moved');
      await book(runtime, tx, bookings, { ...options, attempt, decision, now });
      reach('outcome.booked');
      return { attempt, state: decision.state, now };
    },
  );
  if (moved !== null && moved.state !== moved.attempt.state) recordMove(moved, options.providerAccountId);
}

/** Counts a change of state. Records the time from the prompt to the outcome only once, because late money changes a final state again. */
function recordMove({ attempt, state, now }: Pick<Decided, 'attempt' | 'now'> & Pick<Decision, 'state'>, accountId: string | null): void {
  const settles = isOpen(attempt.state) && !isOpen(state);
  const sentMs = settles && attempt.sentAt ? now.getTime() - attempt.sentAt.getTime() : null;
  recorder()?.attemptMoved(accountId ?? attempt.providerAccountId, state, sentMs);
}

/** Includes all bills that have had a part of a reversed payment: it may have been allocated to other bills since. */
async function listAffectedBills({ db }: Needs, { attempt, providerAccountId, outcome }: ApplyOutcomeOptions): Promise<string[]> {
  if (outcome.kind !== 'reversed' || providerAccountId === null) return [attempt.billId];
  const payment = await findPayment(db, providerAccountId, outcome.transactionId);
  return payment ? [attempt.billId, ...(await listBillsOf(db, payment.id))] : [attempt.billId];
}

type Decided = Omit<ApplyOutcomeOptions, 'attempt'> & { readonly attempt: Attempt; readonly decision: Decision; readonly now: Date };

async function move(runtime: Needs, tx: Queryable, bookings: Bookings, options: Decided): Promise<void> {
  const { attempt, decision, source, leaseToken, now } = options;
  const { id: attemptId, billId, environment, merchantId } = attempt;
  if (decision.state !== attempt.state) {
    if (!(await moveAttempt(tx, attempt, decision, now))) throw new Error(`attempt ${attempt.id} moved under its lock`);
    const reason = options.outcome.kind === 'withdrawn' ? 'merchant_inactive' : decision.failureReason;
    const data = { attempt: attemptId, source, ...(reason && { reason }) };
    bookings.add(billId, {
      released: reserves(attempt) && !reserves({ ...attempt, state: decision.state }) ? attempt.amount : 0n,
      events: [{ type: `attempt.${decision.state.toLowerCase()}`, data }],
    });
    const resolution = `the attempt is ${decision.state}, by ${source}`;
    if (attempt.state === 'UNKNOWN')
      await closeReviews(tx, { kind: 'attempt_unresolved', attemptId }, { resolvedBy: 'gateway', resolution, now });
  } else if ((decision.dueAt || decision.review === 'attempt_unresolved') && leaseToken !== null) {
    await rescheduleAttempt(tx, attempt, leaseToken, { ...decision, now });
  }
  const nowAcknowledged = decision.evidence === 'acknowledged' && decision.state === attempt.state && attempt.acknowledgedAt === null;
  if (nowAcknowledged) await markAcknowledged(tx, attemptId, now);
  if (decision.review === null) return;
  const opened = await openReview(tx, {
    id: newId(runtime),
    environment,
    merchantId,
    kind: decision.review,
    attemptId,
    data: { outcome: options.outcome.kind, source },
    openedAt: now,
  });
  if (opened === 'repeated') return;
  runtime.log.error({ attemptId, billId, review: decision.review }, 'a person must look at an attempt; see: bili review list');
  // The callback may only have been late. A status query decides.
  if (decision.review === 'contradiction' && source === 'callback') await queryAgain(tx, attemptId, now);
}

async function book(runtime: Needs, tx: Queryable, bookings: Bookings, options: Decided): Promise<void> {
  const { attempt, decision, outcome, source, now } = options;
  const accountId = options.providerAccountId ?? attempt.providerAccountId;
  if (!decision.payment || accountId === null) return;
  const assumed = (outcome.kind === 'paid' || outcome.kind === 'reversed') && outcome.assumed === true;
  // A callback may have reported this attempt as paid under another attempt's receipt. Then its own payment is not booked yet.
  const allocate = decision.payment.allocate || !(await hasPayment(tx, attempt.id));
  const reported = { ...decision.payment, allocate };
  const entered = await bookPayment(runtime, tx, bookings, { attempt, accountId, payment: reported, assumed, source, now });
  // A callback may name a wrong receipt. A status query gets the right one.
  if (entered === 'conflict' && source === 'callback') await queryAgain(tx, attempt.id, now);
  if (entered === 'inserted' && source === 'status') {
    const about = { kind: 'receipt_conflict', attemptId: attempt.id } as const;
    const resolution = `queried again, the provider reports receipt ${reported.transactionId}`;
    await closeReviews(tx, about, { resolvedBy: 'gateway', resolution, now });
  }
  if (entered === 'known' && source === 'status' && attempt.state === 'SUCCEEDED') {
    const about = { kind: 'contradiction', attemptId: attempt.id } as const;
    await closeReviews(tx, about, { resolvedBy: 'gateway', resolution: `queried again, the provider reports: ${outcome.kind}`, now });
  }
  if (outcome.kind !== 'reversed') return;
  const payment = await findPayment(tx, accountId, outcome.transactionId);
  if (!payment) throw new Error(`payment ${outcome.transactionId} is not in the ledger after it was booked`);
  const { reversed: amount, reversalTransactionId } = outcome;
  const booked = await bookReversalOf(runtime, tx, bookings, { payment, amount, reversalTransactionId, source, now });
  if (booked === 'exceeds' || booked === 'differs')
    await reviewReversal(runtime, tx, { payment, booked, amount, reversalTransactionId, source, now });
}
