import { hasPayment } from '@/lib/gateway/ledger/balance-store';
import { bookReversalOf, reviewReversal } from '@/lib/gateway/ledger/book-reversal';
import { type Bookings, bookPayments, type Entered, type ReportedPayment, withBills, withFreeBills } from '@/lib/gateway/ledger/bookings';
import { findPayment, listBillsOf } from '@/lib/gateway/ledger/payment-store';
import {
  type Attempt,
  type Decision,
  decide,
  isOpen,
  nextQueryOfSettled,
  type Pace,
  refusesMerchant,
  reserves,
} from '@/lib/gateway/payments/rules';
import { lockAttempts, markAcknowledged, moveAttempts, queryAgain, rescheduleAttempt } from '@/lib/gateway/payments/store';
import { closeReviews, openReview, type SettledReview } from '@/lib/gateway/reviews/store';
import { type AuditEntry, recordEntry } from '@/lib/identity/audit/record-entry';
import { reach } from '@/lib/platform/config/fail-point';
import { newId } from '@/lib/platform/core/ids';
import type { Database, Queryable } from '@/lib/platform/db/database';
import type { Log } from '@/lib/platform/log/log';
import { recorder } from '@/lib/platform/metrics/recorder';
import { sharedQueue } from '@/lib/platform/queues/shared-queue';
import { waitForAll } from '@/lib/platform/queues/work-together';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { refusesCustomer } from '@/lib/providers/accounts/health-rules';
import { addProof, type Proof } from '@/lib/providers/accounts/history-store';
import type { Outcome, OutcomeSource } from '@/lib/providers/port/outcome';

/** An outcome of an attempt. */
interface AttemptOutcome {
  readonly attempt: Pick<Attempt, 'id' | 'billId'>;
  readonly providerAccountId: string | null;
  readonly outcome: Outcome;
  /** The provider's own reference, if a signed callback contains it. The callback may come before the answer to the payment request. */
  readonly providerReference?: string | null;
  readonly pace: Pace;
  readonly source: OutcomeSource;
  /** The fencing token of the caller's lease; null if the caller has none. */
  readonly leaseToken: number | null;
  /** The stored provider message that contains the outcome. It is marked as handled in the same transaction. */
  readonly messageId?: string | undefined;
  /** The audit entry of the person who reports the outcome. It is written in the same transaction. */
  readonly audit?: AuditEntry;
}

/** An outcome, with the log of the HTTP request or of the worker that received it. */
type Reported = AttemptOutcome & { readonly log: Log };
/** An outcome that changes its attempt. */
type Decided = Omit<Reported, 'attempt'> & { readonly attempt: Attempt; readonly decision: Decision };
type OutcomeRuntime = Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>;
/** What the work inside the transaction needs. Each outcome has a log of its own. */
type BookingRuntime = Omit<OutcomeRuntime, 'log'>;

/**
 * Applies an outcome to an attempt. Every answer, callback, status query, statement line and operator's decision goes through here.
 * One transaction under the bill's lock moves the attempt by compare-and-set, records the payment and books it on the bill, numbers
 * the events and inserts the webhook delivery. Outcomes of calls and callbacks that come at the same time share the transaction.
 */
export async function applyOutcome(runtime: OutcomeRuntime, outcome: AttemptOutcome): Promise<void> {
  const ofCall = outcome.source === 'answer' || outcome.source === 'status' || outcome.source === 'callback';
  // A reversal is applied alone, because it can also change the bills of other attempts.
  if (!ofCall || outcome.outcome.kind === 'reversed') return applyAlone(runtime, outcome);
  await applyShared(runtime.db, outcome.attempt.billId, { runtime, outcome });
}

interface Waiting {
  readonly runtime: OutcomeRuntime;
  readonly outcome: AttemptOutcome;
}

const applyShared = sharedQueue<Waiting, 'applied'>({
  runBatch: (_, waiting) => applyTogether(waiting),
  async runAlone(_, { runtime, outcome }) {
    await applyAlone(runtime, outcome);
    return 'applied';
  },
});

async function applyAlone(runtime: OutcomeRuntime, outcome: AttemptOutcome): Promise<void> {
  const decided = await withBills(
    runtime,
    () => listAffectedBills(runtime, outcome),
    (tx, bookings, now) => applyOutcomes(runtime, tx, bookings, [{ ...outcome, log: runtime.log }], now).then((all) => ({ all, now })),
  );
  for (const one of decided.all) recordMove(one, decided.now);
  await noteProofs(runtime, decided.all, decided.now);
}

/**
 * Returns undefined for an outcome that must be applied alone: its bill is locked elsewhere, or the batch has another outcome of the bill.
 */
async function applyTogether(waiting: readonly Waiting[]): Promise<('applied' | undefined)[]> {
  const [first] = waiting;
  if (!first) return [];
  const ofBill = new Map<string, Waiting>();
  for (const one of waiting) if (!ofBill.has(one.outcome.attempt.billId)) ofBill.set(one.outcome.attempt.billId, one);
  const { decided, applied, now } = await withFreeBills(first.runtime, [...ofBill.keys()], async (tx, bookings, now, locked) => {
    const applied = new Set([...ofBill.values()].filter(({ outcome }) => locked.has(outcome.attempt.billId)));
    const outcomes = [...applied].map(({ runtime, outcome }) => ({ ...outcome, log: runtime.log }));
    return { decided: await applyOutcomes(first.runtime, tx, bookings, outcomes, now), applied, now };
  });
  for (const one of decided) recordMove(one, now);
  await noteProofs(first.runtime, decided, now);
  return waiting.map((one) => (applied.has(one) ? 'applied' : undefined));
}

/** Counts a change of state. Records the time from prompt to outcome only for the first final state. Late money can change that state. */
function recordMove({ attempt, decision: { state }, providerAccountId }: Decided, now: Date): void {
  if (state === attempt.state) return;
  const settles = isOpen(attempt.state) && !isOpen(state);
  const sentMs = settles && attempt.sentAt ? now.getTime() - attempt.sentAt.getTime() : null;
  recorder()?.attemptMoved(providerAccountId ?? attempt.providerAccountId, state, sentMs);
}

/** Returns the bills that an outcome can change. For a reversal, these include all bills to which the payment was ever allocated. */
async function listAffectedBills({ db }: OutcomeRuntime, { attempt, providerAccountId, outcome }: AttemptOutcome): Promise<string[]> {
  if (outcome.kind !== 'reversed' || providerAccountId === null) return [attempt.billId];
  const payment = await findPayment(db, providerAccountId, outcome.transactionId);
  return payment ? [attempt.billId, ...(await listBillsOf(db, payment.id))] : [attempt.billId];
}

/** Outcomes that only the worker with the current lease may apply. */
const NEGATIVE: readonly Outcome['kind'][] = ['not_sent', 'elsewhere', 'overtaken', 'withdrawn', 'not_found'];

/**
 * Applies outcomes of attempts of different bills. The caller has locked these bills. Moves the attempts by compare-and-set, records
 * payments and adds the changes of the bills to the bookings. A change that most outcomes need is written by one statement for all of them.
 * @returns the outcomes that have changed something, with the attempts before the change.
 */
async function applyOutcomes(
  runtime: BookingRuntime,
  tx: Queryable,
  bookings: Bookings,
  outcomes: readonly Reported[],
  now: Date,
): Promise<Decided[]> {
  const ids = outcomes.map(({ attempt }) => attempt.id);
  const attempts = await lockAttempts(tx, { ids, messageIds: outcomes.flatMap(({ messageId }) => messageId ?? []), now });
  const decided: Decided[] = [];
  for (const reported of outcomes) {
    const locked = attempts.get(reported.attempt.id);
    const attempt = locked && { ...locked, providerReference: locked.providerReference ?? reported.providerReference ?? null };
    if (!attempt) throw new Error(`attempt ${reported.attempt.id} does not exist`);
    const decision = await decideOn(runtime, tx, attempt, reported, now);
    if (decision) decided.push({ ...reported, attempt, decision });
  }
  if (decided.length === 0) return [];
  await move(tx, bookings, decided, now);
  await closeReviews(tx, decided.flatMap(reviewOfKnownOutcome), now);
  await waitForAll(decided.map((one) => noteMove(runtime, tx, one, now)));
  reach('outcome.moved');
  await bookOutcomes(runtime, tx, bookings, decided, now);
  reach('outcome.booked');
  return decided;
}

/** Decides what an outcome changes. Returns null if it changes nothing. */
async function decideOn(runtime: BookingRuntime, tx: Queryable, attempt: Attempt, reported: Reported, now: Date): Promise<Decision | null> {
  const { outcome, source, leaseToken, pace, audit } = reported;
  // If the worker has lost its lease, negative outcomes and Bili's own decisions are ignored, because another worker may have acted since.
  if ((NEGATIVE.includes(outcome.kind) || source === 'gateway') && leaseToken !== attempt.leaseToken) return null;
  // The provider refused this worker's request, but has accepted the request of another worker since, or may have. So the refusal is ignored.
  const sentAgain = attempt.acknowledgedAt !== null || attempt.sendCount > 1;
  const overtaken = source === 'answer' && leaseToken !== attempt.leaseToken && sentAgain;
  if (overtaken && refusesMerchant(outcome)) return null;
  // The answer to a payment request does not change the due time of a settled attempt: the callback that settled it has set that time.
  if (leaseToken !== null && source !== 'answer' && !isOpen(attempt.state)) {
    const dueAt = source === 'status' ? nextQueryOfSettled(attempt, outcome, pace, now) : null;
    const named = outcome.kind === 'accepted' ? outcome.providerReference : undefined;
    await rescheduleAttempt(tx, attempt, leaseToken, { dueAt, providerReference: attempt.providerReference ?? named ?? null, now });
  }
  if (audit) await recordEntry(runtime, audit, tx);
  return decide(attempt, outcome, pace, now);
}

async function move(tx: Queryable, bookings: Bookings, decided: readonly Decided[], now: Date): Promise<void> {
  const moving = decided.filter(({ attempt, decision }) => decision.state !== attempt.state);
  if (moving.length === 0) return;
  const moved = await moveAttempts(tx, moving, now);
  for (const { attempt, decision, outcome, source } of moving) {
    if (!moved.has(attempt.id)) throw new Error(`attempt ${attempt.id} moved under its lock`);
    const reason = outcome.kind === 'withdrawn' ? outcome.reason : decision.failureReason;
    const event =
      outcome.kind === 'elsewhere'
        ? { type: 'attempt.rerouted', data: { ...outcome, attempt: attempt.id, source } }
        : { type: `attempt.${decision.state.toLowerCase()}`, data: { attempt: attempt.id, source, ...(reason && { reason }) } };
    bookings.add(attempt.billId, {
      released: reserves(attempt) && !reserves({ ...attempt, state: decision.state }) ? attempt.amount : 0n,
      events: [event],
    });
  }
}

/** Returns the review that is closed when an attempt's outcome becomes known. */
function reviewOfKnownOutcome({ attempt, decision, source }: Decided): SettledReview[] {
  const { id: attemptId, state } = attempt;
  // An UNKNOWN attempt can have a review. An attempt in another state can have one if an unsigned callback reported its payment and no
  // status query could check that.
  const mayHaveReview = state === 'UNKNOWN' || (attempt.claimedPaidAt !== null && attempt.providerReference === null);
  if (decision.state === state || decision.state === 'UNKNOWN' || !mayHaveReview) return [];
  const resolution = `the attempt is ${decision.state}, by ${source}`;
  return [{ kind: 'attempt_unresolved', attemptId, resolvedBy: 'gateway', resolution }];
}

/** Writes what few outcomes need: reviews, and the next query or the acknowledgement of an attempt whose state has not changed. */
async function noteMove(runtime: BookingRuntime, tx: Queryable, one: Decided, now: Date): Promise<void> {
  const { attempt, decision, outcome, source, leaseToken, log } = one;
  const { id: attemptId, billId, environment, merchantId, state } = attempt;
  const stays = decision.state === state;
  if (stays && (decision.dueAt || decision.review === 'attempt_unresolved') && leaseToken !== null)
    await rescheduleAttempt(tx, attempt, leaseToken, { ...decision, now });
  if (stays && decision.evidence === 'acknowledged' && attempt.acknowledgedAt === null) await markAcknowledged(tx, attemptId, now);
  if (decision.review === null) return;
  const data = { outcome: outcome.kind, source };
  const about = { environment, merchantId, kind: decision.review, attemptId } as const;
  if ((await openReview(tx, { id: newId(runtime), ...about, data, openedAt: now })) === 'repeated') return;
  log.error({ attemptId, billId, review: decision.review }, 'a person must look at an attempt; see: bili review list');
  // A callback contradicts the success of the attempt. The callback may be out of date, so a status query asks for the present status.
  if (decision.review === 'contradiction' && source === 'callback') await queryAgain(tx, attemptId, now);
}

type Booked = ReportedPayment & Pick<Decided, 'attempt' | 'outcome'>;

/** Books the payments and reversals that outcomes report. The caller has locked the bills and the attempts. */
async function bookOutcomes(
  runtime: BookingRuntime,
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
    const request = { ...attempt, attemptId: attempt.id, instrumentId: null };
    reported.push({ ...decision.payment, allocate, request, attempt, providerAccountId, assumed, fee, happenedAt, outcome, source, log });
  }
  if (reported.length === 0) return;
  const results = await bookPayments(runtime, tx, bookings, reported, now);
  await closeReviews(tx, results.flatMap(reviewOfStatusAnswer), now);
  await waitForAll(results.map(({ payment, entered }) => followUp(runtime, tx, bookings, { payment, entered, now })));
}

interface BookedPayment {
  readonly payment: Booked;
  readonly entered: Entered;
  readonly now: Date;
}

/** Returns the review that is closed because a status query has answered its question. */
function reviewOfStatusAnswer({ payment, entered }: { readonly payment: Booked; readonly entered: Entered }): SettledReview[] {
  const { attempt, transactionId, outcome, source } = payment;
  if (source !== 'status') return [];
  const about = { attemptId: attempt.id, resolvedBy: 'gateway' };
  if (entered.kind === 'inserted')
    return [{ ...about, kind: 'receipt_conflict', resolution: `queried again, the provider reports receipt ${transactionId}` }];
  if (entered.kind !== 'known' || attempt.state !== 'SUCCEEDED') return [];
  return [{ ...about, kind: 'contradiction', resolution: `queried again, the provider reports: ${outcome.kind}` }];
}

async function followUp(
  runtime: BookingRuntime,
  tx: Queryable,
  bookings: Bookings,
  { payment: booked, entered, now }: BookedPayment,
): Promise<void> {
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

/** The proofs that this process knows to be stored, by database. So it does not store them again at every outcome. */
const storedProofs = new WeakMap<Database, Set<string>>();

/**
 * Records what committed outcomes prove about their accounts. Runs after the commit, so that payments of an account never wait for each
 * other here. A proof that cannot be stored is logged, and the next such outcome stores it.
 */
async function noteProofs({ db, log }: Pick<Runtime, 'db' | 'log'>, decided: readonly Decided[], now: Date): Promise<void> {
  const known = storedProofs.get(db) ?? new Set();
  storedProofs.set(db, known);
  for (const one of decided) {
    const accountId = one.providerAccountId ?? one.attempt.providerAccountId;
    if (accountId === null) continue;
    for (const kind of proofsOf(one)) {
      const key = `${accountId} ${kind}`;
      if (known.has(key)) continue;
      try {
        if (await addProof(db, { accountId, kind, attemptId: one.attempt.id, now })) known.add(key);
      } catch (err) {
        log.warn({ attemptId: one.attempt.id, account: accountId, proof: kind, err }, 'a proof of an account could not be stored');
      }
    }
  }
}

/** Returns what an outcome proves about its account. Pure. */
export function proofsOf({ attempt, decision, outcome, source }: Pick<Decided, 'attempt' | 'decision' | 'outcome' | 'source'>): Proof[] {
  if (decision.state === attempt.state || isOpen(decision.state)) return [];
  const settled: Proof[] = attempt.state === 'UNKNOWN' ? ['unknown'] : [];
  if (source !== 'answer' && source !== 'status' && source !== 'callback') return settled;
  if (outcome.kind === 'failed' && refusesCustomer(outcome.reason)) return [...settled, 'refusal'];
  if (outcome.kind !== 'paid' || source === 'answer') return settled;
  // An unsigned callback that reports a payment proves that callbacks arrive, although a status query had to confirm the payment.
  return [...settled, source === 'callback' || attempt.claimedPaidAt !== null ? 'callback' : 'query'];
}

/** Returns the log fields that identify an attempt. Every log line about an attempt has them. */
export function traceAttempt({ id, billId, ourReference, merchantId, environment }: Attempt) {
  return { attemptId: id, billId, ourReference, merchantId, environment };
}
