import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import type { Attempt } from '@/lib/payments/rules';

/** Limit of parallel payment requests through an account, over all workers, if its adapter sets none. */
export const CALL_LIMIT = 25;
/**
 * Limit of parallel status queries through an account. The account's own call limit, or CALL_LIMIT if it has none, also applies to status
 * queries. The smaller of the two limits counts.
 */
export const QUERY_LIMIT = 100;
/** After this number of consecutive calls without an answer, only one call is made at a time, with a pause before each. */
export const BREAKER_FAILURES = 5;
/** A queued attempt fails if it waits longer than this for the provider or for an account: the customer has probably left. */
export const PROMPT_WAIT_MS = 5 * MINUTE_MS;
/** For this long after a failed status query, no payment request is sent to test whether the provider is back. */
export const QUERY_FAILURE_MS = MINUTE_MS;

const FIRST_REST_MS = 3 * SECOND_MS;
const SHORTEST_REST_MS = 5 * SECOND_MS;
const LONGEST_REST_MS = 30 * SECOND_MS;

/**
 * Returns when to look again for an account that serves the network of an attempt. The pause is half of the time that the attempt has
 * waited, but at least 5 and at most 30 seconds. Returns null if the attempt has waited for too long. In the sandbox, always returns null,
 * because nobody adds accounts there. Pure.
 */
export function nextAccountSearch({ environment, createdAt }: Pick<Attempt, 'environment' | 'createdAt'>, now: Date): Date | null {
  const waitedMs = now.getTime() - createdAt.getTime();
  return environment === 'sandbox' || waitedMs >= PROMPT_WAIT_MS ? null : addMs(now, clamp(waitedMs / 2));
}

/**
 * Returns when a call may test whether the account works again, after a failure at `now`. After the first few failures, the pause is 3
 * seconds. Then it is half of the time since the first failure, but at least 5 and at most 30 seconds.
 */
export function restUntil({ failures, failingSince }: { readonly failures: number; readonly failingSince: Date }, now: Date): Date {
  if (failures < BREAKER_FAILURES) return addMs(now, FIRST_REST_MS);
  return addMs(now, clamp((now.getTime() - failingSince.getTime()) / 2));
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, SHORTEST_REST_MS), LONGEST_REST_MS);
}
