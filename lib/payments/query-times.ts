import { doublingDelay } from '@/lib/core/backoff';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { Attempt, Pace } from './rules';

/** Maximum number of queries of a settled attempt after an unsigned callback. With delays of up to one hour, they take about six hours. */
const SETTLED_QUERIES = 14;

/** When an unpaid attempt is queried after it settled. Its money may arrive late, without a callback. */
const FOLLOW_UPS_MS = [2 * MINUTE_MS, 15 * MINUTE_MS, 2 * HOUR_MS, DAY_MS] as const;

/** Failures after which the customer may still be charged. All other failures are definite refusals. */
const UNCERTAIN: ReadonlySet<string> = new Set<FailureReason>(['rejected', 'user_timeout']);

/**
 * Outcomes after which a settled attempt is queried again, because they do not show whether money moved. `accepted` is one of them: Bili
 * may have repeated the request, and the provider may have accepted it just when the attempt was settled.
 */
const INCONCLUSIVE: readonly Outcome['kind'][] = ['unknown', 'not_found', 'pending', 'accepted'];

/**
 * Returns when to query an attempt with an unknown outcome next. The delay doubles with each query: up to a minute while the customer can
 * answer the prompt, so that even without callbacks the outcome is known soon, and later up to an hour.
 */
export function nextQuery(attempt: Attempt, pace: Pace, now: Date): Date {
  const awaited = attempt.state === 'AWAITING_CUSTOMER';
  const first = awaited ? pace.firstQueryMs : pace.unknownQueryMs;
  const longest = awaited ? Math.max(first, MINUTE_MS) : HOUR_MS;
  return addMs(now, doublingDelay(attempt.queryCount + 1, first, Math.min(pace.maxQueryMs, longest)));
}

/**
 * Returns the time of the first query of an attempt that ends unpaid now; null if a definite refusal ended it.
 * @param reason the reason of the failure; null if the prompt expired.
 */
export function firstFollowUp(attempt: Attempt, reason: FailureReason | null, pace: Pace, now: Date): Date | null {
  const { state, claimedPaidAt } = attempt;
  if (claimedPaidAt !== null) return nextQuery({ ...attempt, state: 'UNKNOWN', queryCount: 0 }, pace, now);
  const refusedAtOnce = state === 'SENDING' && reason !== null;
  return refusedAtOnce || !mayComeLate(attempt, reason) ? null : addMs(now, FOLLOW_UPS_MS[0]);
}

/**
 * Returns when to query a settled attempt next; null if no query is left. After an unsigned callback, queries continue with growing
 * delays until the provider gives a final status. If that callback claims a payment, they continue even if the provider denies it,
 * because the status may be out of date. Without such a callback, queries follow FOLLOW_UPS_MS.
 */
export function nextQueryOfSettled(attempt: Attempt, outcome: Outcome, pace: Pace, now: Date): Date | null {
  const { state, failureReason, claimedPaidAt, queryCount, settledAt } = attempt;
  const unpaid = state === 'FAILED' || state === 'EXPIRED';
  const inconclusive = INCONCLUSIVE.includes(outcome.kind);
  const doubtful = inconclusive || (unpaid && claimedPaidAt !== null);
  if (doubtful && queryCount < SETTLED_QUERIES) return nextQuery(attempt, pace, now);
  if (!unpaid || settledAt === null || !mayComeLate(attempt, failureReason)) return null;
  return FOLLOW_UPS_MS.map((ms) => addMs(settledAt, ms)).find((time) => time > now) ?? null;
}

function mayComeLate({ providerAccountId, claimedPaidAt }: Attempt, reason: string | null): boolean {
  return providerAccountId !== null && (reason === null || UNCERTAIN.has(reason) || claimedPaidAt !== null);
}
