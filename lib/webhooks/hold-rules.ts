import type { Endpoint } from './endpoint-store';

/** Why what is due does not go out at once: until somebody resumes the endpoint, or until a time. */
export type Hold =
  | { readonly kind: 'paused'; readonly since: Date }
  | { readonly kind: 'disabled'; readonly since: Date; readonly reason: Endpoint['disabledReason'] }
  /** Its breaker is open: single probes are made, the next one not before. */
  | { readonly kind: 'breaker'; readonly until: Date }
  /** It has asked for a pause. */
  | { readonly kind: 'resting'; readonly until: Date };

type Judged = Pick<Endpoint, 'status' | 'statusSince' | 'disabledReason' | 'breakerStep' | 'restUntil'>;

/** @returns what holds an endpoint's deliveries up, or null when they go at once. Pure. */
export function holdUp({ status, statusSince, disabledReason, breakerStep, restUntil }: Judged, now: Date): Hold | null {
  if (status === 'paused') return { kind: 'paused', since: statusSince };
  if (status === 'disabled') return { kind: 'disabled', since: statusSince, reason: disabledReason };
  if (restUntil === null) return null;
  if (breakerStep > 0) return { kind: 'breaker', until: restUntil };
  return restUntil > now ? { kind: 'resting', until: restUntil } : null;
}
