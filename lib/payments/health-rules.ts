import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';

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

const SHORTEST_REST_MS = 5 * SECOND_MS;
const LONGEST_REST_MS = 30 * SECOND_MS;

/** @returns until when an account is not called, after a failure at `now`: half as long as it has been failing, from 5 to 30 seconds. Pure. */
export function restUntil(failingSince: Date, now: Date): Date {
  const failingMs = now.getTime() - failingSince.getTime();
  return addMs(now, Math.min(Math.max(failingMs / 2, SHORTEST_REST_MS), LONGEST_REST_MS));
}
