import type { Endpoint } from './endpoint-store';

/** Why due deliveries are not sent at once. `paused` and `disabled` last until somebody resumes the endpoint. */
export type Hold =
  | { readonly kind: 'paused'; readonly since: Date }
  | { readonly kind: 'disabled'; readonly since: Date; readonly reason: Endpoint['disabledReason'] }
  /** The circuit breaker is open, so only single probes are sent. `until` is the time of the next probe, null if it is due. */
  | { readonly kind: 'breaker'; readonly until: Date | null }
  /** The receiver has asked for a pause. */
  | { readonly kind: 'resting'; readonly until: Date };

/** The fields of an endpoint that decide whether its deliveries are held. */
export type HoldFacts = Pick<Endpoint, 'status' | 'statusSince' | 'disabledReason' | 'breakerStep' | 'restUntil'>;

/** Returns why an endpoint's due deliveries are not sent at once, or null if they are. */
export function currentHold({ status, statusSince, disabledReason, breakerStep, restUntil }: HoldFacts, now: Date): Hold | null {
  if (status === 'paused') return { kind: 'paused', since: statusSince };
  if (status === 'disabled') return { kind: 'disabled', since: statusSince, reason: disabledReason };
  const pause = restUntil !== null && restUntil > now ? restUntil : null;
  if (breakerStep > 0) return { kind: 'breaker', until: pause };
  return pause ? { kind: 'resting', until: pause } : null;
}

/** Returns whether nothing is sent until somebody resumes the endpoint. */
export function isStopped(hold: Hold | null): hold is Extract<Hold, { readonly since: Date }> {
  return hold?.kind === 'paused' || hold?.kind === 'disabled';
}

/**
 * Returns the earliest time of a delivery's next attempt.
 * @returns null if the delivery can be sent now, or if the time is unknown because the endpoint is stopped. Never a past time.
 */
export function earliestAttempt(dueAt: Date, hold: Hold | null, now: Date): Date | null {
  if (isStopped(hold)) return null;
  const last = hold?.until && hold.until > dueAt ? hold.until : dueAt;
  return last > now ? last : null;
}
