import { addMs, DAY_MS, MINUTE_MS } from '@/lib/core/clock';
import type { Environment } from '@/lib/core/scope';
import type { Attempt } from '@/lib/payments/rules';
import type { FailureReason } from '@/lib/providers/port/outcome';

/** No more than `most` prompts within `withinMs` milliseconds. */
interface PromptWindow {
  readonly most: number;
  readonly withinMs: number;
}

/** Prompts to one number that payment pages ask for: three are a first try, a wrong PIN and one more. */
export const NUMBER_WINDOWS: readonly PromptWindow[] = [
  { most: 3, withinMs: 10 * MINUTE_MS },
  { most: 10, withinMs: DAY_MS },
];

/**
 * What one bill's page asks for, whatever comes of it. More than of a number, for several people may pay one bill together; few
 * enough that a link is no tool for ringing strangers, nor for finding out which numbers there are.
 */
export const BILL_WINDOWS: readonly PromptWindow[] = [
  { most: 10, withinMs: 10 * MINUTE_MS },
  { most: 30, withinMs: DAY_MS },
];

/**
 * Prompts to one number that the API asks for. A merchant's server knows its customers, so twice as much; but its bug shall not
 * ring a phone a hundred times.
 */
export const API_WINDOWS: readonly PromptWindow[] = [
  { most: 6, withinMs: 10 * MINUTE_MS },
  { most: 20, withinMs: DAY_MS },
];

/** How far back a number's prompts count, milliseconds. */
export const LONGEST_WINDOW_MS = Math.max(...[...NUMBER_WINDOWS, ...API_WINDOWS].map(({ withinMs }) => withinMs));

/**
 * Whether a number's prompts for every bill of the environment count together. In the sandbox no phone rings, and everybody's
 * tests use the same few numbers: there a number's prompts count for each bill by itself.
 */
export function countsOverBills(environment: Environment): boolean {
  return environment === 'live';
}

/** What counting needs of an attempt. */
export type Prompt = Pick<Attempt, 'state' | 'failureReason' | 'providerAccountId' | 'sentAt' | 'createdAt'>;

/** The same of an attempt among its bill's. */
export type BillPrompt = Pick<Attempt, 'state' | 'createdAt'> & { readonly source: 'api' | 'web' | 'dashboard' };

/** The phone certainly stayed quiet, though a provider may have been called. */
export const NOT_SHOWN: readonly FailureReason[] = [
  'no_provider',
  'too_many_prompts',
  'number_refused',
  'provider_unavailable',
  'mobile_not_registered',
];

/**
 * @returns when a prompt was shown, or may have been; `now` for one that waits to be sent; null for one that does not count:
 *   it was approved, so it was wanted, or no phone ever showed it.
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
 * @returns when a prompt was asked for on its bill's page; null for one that does not count there: it was approved, or the API
 *   asked for it.
 */
export function requestedAt({ state, source, createdAt }: BillPrompt): Date | null {
  return source === 'web' && state !== 'SUCCEEDED' ? createdAt : null;
}

/**
 * Decides whether there may be one prompt more. Pure.
 * @param earlier when there was one; null for one that does not count. Those before the longest window may be left out.
 * @returns null when there may; else when there may again, should nothing else be asked meanwhile.
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
