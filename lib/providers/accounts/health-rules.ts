import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import type { Attempt } from '@/lib/payments/rules';

/** Prompts that may be sent through an account at once, by all workers together, where the provider's adapter sets no limit. */
export const CALL_LIMIT = 25;
/** The same for status queries; fewer for an account with a smaller limit. */
export const QUERY_LIMIT = 25;
/** After so many calls in a row without an answer, one call at a time is made, with a pause before each. */
export const BREAKER_FAILURES = 5;
/** A prompt that waits longer than this for a provider that does not answer, or for an account, has failed: its customer has left. */
export const PROMPT_WAIT_MS = 5 * MINUTE_MS;
/** While status queries have failed as recently as this, no prompt is sent to find out whether the provider is back. */
export const QUERIES_FAIL_MS = MINUTE_MS;

const FIRST_REST_MS = 3 * SECOND_MS;
const SHORTEST_REST_MS = 5 * SECOND_MS;
const LONGEST_REST_MS = 30 * SECOND_MS;

/**
 * @returns when to look again for an account that serves a prompt's network: half as long as it has waited, from 5 to 30
 *   seconds. Null when it has waited long enough. In the sandbox nobody adds an account meanwhile: it does not wait. Pure.
 */
export function nextLookForAccount({ environment, createdAt }: Pick<Attempt, 'environment' | 'createdAt'>, now: Date): Date | null {
  const waitedMs = now.getTime() - createdAt.getTime();
  return environment === 'sandbox' || waitedMs >= PROMPT_WAIT_MS ? null : addMs(now, clamp(waitedMs / 2));
}

/**
 * @returns until when an account is not called to find out whether it is back, after a failure at `now`: half as long as it has
 *   been failing, from 5 to 30 seconds; 3 seconds while too few calls have failed to say that it is down. Pure.
 */
export function restUntil({ failures, failingSince }: { readonly failures: number; readonly failingSince: Date }, now: Date): Date {
  if (failures < BREAKER_FAILURES) return addMs(now, FIRST_REST_MS);
  return addMs(now, clamp((now.getTime() - failingSince.getTime()) / 2));
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, SHORTEST_REST_MS), LONGEST_REST_MS);
}
