import { addMs, DAY_MS, MINUTE_MS } from '@/lib/core/clock';
import type { Environment } from '@/lib/core/scope';
import type { Attempt } from '@/lib/payments/rules';
import type { FailureReason } from '@/lib/providers/port/outcome';

/** At most `most` prompts within `withinMs` milliseconds. */
interface PromptWindow {
  readonly most: number;
  readonly withinMs: number;
}

/** Limits for prompts from payment pages to one number. Three prompts are enough for a wrong PIN and one more mistake. */
export const NUMBER_WINDOWS: readonly PromptWindow[] = [
  { most: 3, withinMs: 10 * MINUTE_MS },
  { most: 10, withinMs: DAY_MS },
];

/**
 * Limits for prompts that were requested on the page of one bill and that no customer approved. They are higher than for one number,
 * because several people may pay a bill together. They are low enough that nobody can use the link of a bill to disturb many strangers or
 * to find out which numbers exist.
 */
export const BILL_WINDOWS: readonly PromptWindow[] = [
  { most: 10, withinMs: 10 * MINUTE_MS },
  { most: 30, withinMs: DAY_MS },
];

/**
 * Limits for prompts from the API to one number. They are twice as high as for prompts from payment pages, because a merchant's server
 * knows its customers. They exist because an error in that server must not send a hundred prompts to a phone.
 */
export const API_WINDOWS: readonly PromptWindow[] = [
  { most: 6, withinMs: 10 * MINUTE_MS },
  { most: 20, withinMs: DAY_MS },
];

/** The longest time during which a prompt counts for its number, milliseconds. */
export const LONGEST_WINDOW_MS = Math.max(...[...NUMBER_WINDOWS, ...API_WINDOWS].map(({ withinMs }) => withinMs));

/**
 * Tells whether a number's prompts for all bills of the environment count together. The sandbox reaches no real phone and all tests use
 * the same few numbers, so there they count for each bill separately.
 */
export function countsOverBills(environment: Environment): boolean {
  return environment === 'live';
}

/** The fields of an attempt that the limits of a number need. */
export type Prompt = Pick<Attempt, 'state' | 'failureReason' | 'providerAccountId' | 'sentAt' | 'createdAt'>;

/** The fields of an attempt that the limits of a bill need. */
export type BillPrompt = Pick<Attempt, 'state' | 'createdAt'> & { readonly source: 'api' | 'web' | 'dashboard' };

/** Failures that show that no prompt appeared on the phone, even if the provider was called. */
export const NOT_SHOWN: readonly FailureReason[] = [
  'no_provider',
  'too_many_prompts',
  'number_refused',
  'merchant_config',
  'provider_unavailable',
  'not_sent_in_time',
  'mobile_not_registered',
];

/**
 * Returns when a phone showed a prompt or may have shown it; `now` if the prompt waits to be sent. Returns null if the prompt does not
 * count towards the limits, because the customer approved it or no phone ever showed it.
 */
export function shownAt({ state, failureReason, providerAccountId, sentAt, createdAt }: Prompt, now: Date): Date | null {
  switch (state) {
    case 'SUCCEEDED':
    case 'CANCELLED':
      return null;
    case 'QUEUED':
      return now;
    case 'FAILED':
      return providerAccountId === null || NOT_SHOWN.some((reason) => reason === failureReason) ? null : (sentAt ?? createdAt);
    default:
      return sentAt ?? createdAt;
  }
}

/**
 * Returns the time at which a prompt counts towards the limits of its bill's page. Null if it does not count, because it was approved or
 * was not requested on the page.
 */
export function requestedAt({ state, source, createdAt }: BillPrompt): Date | null {
  return source === 'web' && state !== 'SUCCEEDED' ? createdAt : null;
}

/**
 * Returns null if one more prompt is allowed; else the time from which it is allowed.
 * @param earlier the times of the earlier prompts; null for prompts that do not count. Prompts before the longest window may be missing.
 */
export function reachedLimit(windows: readonly PromptWindow[], earlier: readonly (Date | null)[], now: Date): Date | null {
  let until: Date | null = null;
  for (const { most, withinMs } of windows) {
    const oldest = earlier
      .map((instant) => instant?.getTime() ?? Number.NEGATIVE_INFINITY)
      .filter((instant) => instant > now.getTime() - withinMs)
      .sort((a, b) => b - a)
      .at(most - 1);
    if (oldest === undefined) continue;
    const over = addMs(new Date(oldest), withinMs);
    if (until === null || over > until) until = over;
  }
  return until;
}
