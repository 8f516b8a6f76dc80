import { type AuditEntry, recordEntry } from '@/lib/audit/record-entry';
import { reach } from '@/lib/config/fail-point';
import { newId } from '@/lib/core/ids';
import type { Queryable } from '@/lib/db/database';
import type { Log } from '@/lib/log/log';
import type { Bookings } from '@/lib/payments/ledger/bookings';
import { markAcknowledged, moveAttempts, queryAgain, rescheduleAttempt } from '@/lib/payments/move-store';
import { nextQueryOfSettled } from '@/lib/payments/query-times';
import { type Attempt, type Decision, decide, type Pace, refusesMerchant, reserves } from '@/lib/payments/rules';
import { isOpen } from '@/lib/payments/state';
import { lockAttempts } from '@/lib/payments/store';
import type { Outcome, OutcomeSource } from '@/lib/providers/port/outcome';
import { waitForAll } from '@/lib/queues/wait-for-all';
import { openReview } from '@/lib/reviews/open-review';
import { closeReviews, type SettledReview } from '@/lib/reviews/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { bookOutcomes } from './book-outcomes';

/** An outcome of an attempt. */
export interface AttemptOutcome {
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
export type Decided = Omit<Reported, 'attempt'> & { readonly attempt: Attempt; readonly decision: Decision };
type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

/** Outcomes that only the worker with the current lease may apply. */
const NEGATIVE: readonly Outcome['kind'][] = ['not_sent', 'elsewhere', 'overtaken', 'withdrawn', 'not_found'];

/**
 * Applies outcomes of attempts of different bills. The caller has locked these bills. Moves the attempts by compare-and-set, records
 * payments and adds the changes of the bills to the bookings. A change that most outcomes need is written by one statement for all of them.
 * @returns the outcomes that have changed something, with the attempts before the change.
 */
export async function applyOutcomes(
  runtime: Needs,
  tx: Queryable,
  bookings: Bookings,
  outcomes: readonly Reported[],
  now: Date,
): Promise<Decided[]> {
  const ids = outcomes.map(({ attempt }) => attempt.id);
  const attempts = await lockAttempts(tx, { ids, messageIds: outcomes.flatMap(({ messageId }) => messageId ?? []), now });
  const decided: Decided[] = [];
  for (const reported of outcomes) {
    const found = attempts.get(reported.attempt.id);
    const attempt = found && { ...found, providerReference: found.providerReference ?? reported.providerReference ?? null };
    if (!attempt) throw new Error(`attempt ${reported.attempt.id} does not exist`);
    const decision = await decideOn(runtime, tx, attempt, reported, now);
    if (decision) decided.push({ ...reported, attempt, decision });
  }
  if (decided.length === 0) return [];
  await move(tx, bookings, decided, now);
  await closeReviews(tx, decided.flatMap(settledReview), now);
  await waitForAll(decided.map((one) => noteMove(runtime, tx, one, now)));
  reach('outcome.moved');
  await bookOutcomes(runtime, tx, bookings, decided, now);
  reach('outcome.booked');
  return decided;
}

/** Decides what an outcome changes. Returns null if it changes nothing. */
async function decideOn(runtime: Needs, tx: Queryable, attempt: Attempt, reported: Reported, now: Date): Promise<Decision | null> {
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
function settledReview({ attempt, decision, source }: Decided): SettledReview[] {
  const { id: attemptId, state } = attempt;
  // An UNKNOWN attempt can have a review. An attempt in another state can have one if an unsigned callback reported its payment and no
  // status query could check that.
  const mayHaveReview = state === 'UNKNOWN' || (attempt.claimedPaidAt !== null && attempt.providerReference === null);
  if (decision.state === state || decision.state === 'UNKNOWN' || !mayHaveReview) return [];
  const resolution = `the attempt is ${decision.state}, by ${source}`;
  return [{ kind: 'attempt_unresolved', attemptId, resolvedBy: 'gateway', resolution }];
}

/** Writes what few outcomes need: reviews, and the next query or the acknowledgement of an attempt whose state has not changed. */
async function noteMove(runtime: Needs, tx: Queryable, one: Decided, now: Date): Promise<void> {
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
