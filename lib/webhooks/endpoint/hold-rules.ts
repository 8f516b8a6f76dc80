import type { Endpoint } from './endpoint-store';

/** Why what is due does not go out at once: until somebody resumes the endpoint, or until a time. */
export type Hold =
  | { readonly kind: 'paused'; readonly since: Date }
  | { readonly kind: 'disabled'; readonly since: Date; readonly reason: Endpoint['disabledReason'] }
  /** Its breaker is open: single probes are made, the next one not before; null when it is due. */
  | { readonly kind: 'breaker'; readonly until: Date | null }
  /** It has asked for a pause. */
  | { readonly kind: 'resting'; readonly until: Date };

/** The part of an endpoint that decides whether its deliveries are held up. */
export type Judged = Pick<Endpoint, 'status' | 'statusSince' | 'disabledReason' | 'breakerStep' | 'restUntil'>;

/** @returns what holds an endpoint's deliveries up, or null when they go at once. Pure. */
export function holdUp({ status, statusSince, disabledReason, breakerStep, restUntil }: Judged, now: Date): Hold | null {
  if (status === 'paused') return { kind: 'paused', since: statusSince };
  if (status === 'disabled') return { kind: 'disabled', since: statusSince, reason: disabledReason };
  const pause = restUntil !== null && restUntil > now ? restUntil : null;
  if (breakerStep > 0) return { kind: 'breaker', until: pause };
  return pause ? { kind: 'resting', until: pause } : null;
}

/** @returns whether nothing is sent until somebody resumes the endpoint. Pure. */
export function isStopped(hold: Hold | null): hold is Extract<Hold, { readonly since: Date }> {
  return hold?.kind === 'paused' || hold?.kind === 'disabled';
}

/**
 * @param dueAt when a delivery's own time comes.
 * @returns when it can go out at the earliest; null when that is now, or nobody can say. Never a time that has passed. Pure.
 */
export function earliestTry(dueAt: Date, hold: Hold | null, now: Date): Date | null {
  if (isStopped(hold)) return null;
  const last = hold?.until && hold.until > dueAt ? hold.until : dueAt;
  return last > now ? last : null;
}
