import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Environment } from '@/lib/platform/core/scope';
import { type FailureReason, isFailureReason } from '@/lib/providers/port/outcome';

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
export function nextAccountSearch(
  { environment, createdAt }: { readonly environment: Environment; readonly createdAt: Date },
  now: Date,
): Date | null {
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

/**
 * Who or what is the cause of a refusal. `owner`: the account or its credentials. `request`: the number or the amount. `bili`: a limit or a
 * rule of Bili, so the provider was not asked.
 */
export const REFUSAL_CLASSES = ['customer', 'request', 'owner', 'provider', 'bili'] as const;
type RefusalClass = (typeof REFUSAL_CLASSES)[number];

const CLASS_OF: Readonly<Record<FailureReason, RefusalClass>> = {
  user_cancelled: 'customer',
  wrong_pin: 'customer',
  insufficient_funds: 'customer',
  user_timeout: 'customer',
  limit_exceeded: 'customer',
  mobile_not_registered: 'request',
  amount_invalid: 'request',
  merchant_config: 'owner',
  provider_unavailable: 'provider',
  rejected: 'provider',
  no_provider: 'bili',
  not_sent_in_time: 'bili',
  too_many_prompts: 'bili',
  number_refused: 'bili',
};

/** Returns the class of a failure reason. A reason that this version does not know has the class `provider`. Pure. */
export function refusalClass(reason: string): RefusalClass {
  return isFailureReason(reason) ? CLASS_OF[reason] : 'provider';
}

/**
 * Tells whether a failure proves that Bili recognises refusals by this provider. Three kinds of failures prove it: the provider refused the
 * customer, it refused the number or the amount, or it gave no reason that Bili knows. Pure.
 */
export function refusesCustomer(reason: FailureReason): boolean {
  return CLASS_OF[reason] === 'customer' || CLASS_OF[reason] === 'request' || reason === 'rejected';
}
