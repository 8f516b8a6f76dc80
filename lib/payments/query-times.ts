import { doublingDelay } from '@/lib/core/backoff';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import type { FailureReason, Outcome } from '@/lib/providers/port/outcome';
import type { Attempt, Pace } from './rules';

/** How often an attempt that has settled is asked about after a hint: for about six hours, at the slowest pace of an hour. */
const SETTLED_QUERIES = 14;

/** When an attempt that ended unpaid is asked about without a hint, milliseconds after it settled: its money may come late and its callback never. */
const FOLLOW_UPS_MS = [2 * MINUTE_MS, 15 * MINUTE_MS, 2 * HOUR_MS, DAY_MS] as const;

/** Failures that say neither why nor for certain that the customer was not charged. The others are definite refusals. */
const UNCERTAIN: ReadonlySet<string> = new Set<FailureReason>(['rejected', 'user_timeout']);

/** @returns when to ask next about an attempt whose outcome is not known, ever more slowly. */
export function nextQuery(attempt: Attempt, pace: Pace, now: Date): Date {
  const first = attempt.state === 'AWAITING_CUSTOMER' ? pace.firstQueryMs : pace.unknownQueryMs;
  return addMs(now, doublingDelay(attempt.queryCount + 1, first, Math.min(pace.maxQueryMs, HOUR_MS)));
}

/**
 * @param reason why it failed; null for a prompt that expired.
 * @returns when to ask first about an attempt that ends unpaid now; null if a definite refusal ended it.
 */
export function firstFollowUp(attempt: Attempt, reason: FailureReason | null, pace: Pace, now: Date): Date | null {
  const { state, claimedPaidAt } = attempt;
  if (claimedPaidAt !== null) return nextQuery({ ...attempt, state: 'UNKNOWN', queryCount: 0 }, pace, now);
  const refusedAtOnce = state === 'SENDING' && reason !== null;
  return refusedAtOnce || !mayComeLate(attempt, reason) ? null : addMs(now, FOLLOW_UPS_MS[0]);
}

/**
 * When to ask again about an attempt that has settled. After a hint: a while, ever more slowly, until the provider has said what
 * became of it; if the hint claimed that it is paid, also if the provider denies it, because its status may lag behind. Without
 * one: at the times of FOLLOW_UPS_MS. Null when there is no more to ask.
 */
export function askSettledAgain(attempt: Attempt, outcome: Outcome, pace: Pace, now: Date): Date | null {
  const { state, failureReason, claimedPaidAt, queryCount, settledAt } = attempt;
  const unpaid = state === 'FAILED' || state === 'EXPIRED';
  const inconclusive = outcome.kind === 'unknown' || outcome.kind === 'not_found' || outcome.kind === 'pending';
  const open = inconclusive || (unpaid && claimedPaidAt !== null);
  if (open && queryCount < SETTLED_QUERIES) return nextQuery(attempt, pace, now);
  if (!unpaid || settledAt === null || !mayComeLate(attempt, failureReason)) return null;
  return FOLLOW_UPS_MS.map((ms) => addMs(settledAt, ms)).find((time) => time > now) ?? null;
}

function mayComeLate({ providerAccountId, claimedPaidAt }: Attempt, reason: string | null): boolean {
  return providerAccountId !== null && (reason === null || UNCERTAIN.has(reason) || claimedPaidAt !== null);
}
