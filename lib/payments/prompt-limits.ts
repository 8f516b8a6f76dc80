import type { Environment } from '@/lib/config/runtime';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/core/clock';
import type { FailureReason } from './outcome';
import type { Attempt } from './rules';

/** No more than `most` prompts within `withinMs` milliseconds, to one number or for one bill. */
export interface PromptWindow {
  readonly per: 'number' | 'bill';
  readonly most: number;
  readonly withinMs: number;
}

/**
 * Whoever has a bill's link can ask for prompts. A number: three are a first try, a wrong PIN and one more. A bill: more, for
 * several people may pay one together, but few enough that a link is no tool for ringing strangers.
 */
export const PAGE_WINDOWS: readonly PromptWindow[] = [
  { per: 'number', most: 3, withinMs: 10 * MINUTE_MS },
  { per: 'number', most: 10, withinMs: DAY_MS },
  { per: 'bill', most: 10, withinMs: 10 * MINUTE_MS },
  { per: 'bill', most: 30, withinMs: DAY_MS },
];

/** A merchant's server knows its customers, so twice as much; but its bug shall not ring a phone a hundred times. */
export const API_WINDOWS: readonly PromptWindow[] = [
  { per: 'number', most: 6, withinMs: 10 * MINUTE_MS },
  { per: 'number', most: 20, withinMs: DAY_MS },
];

/** How far back anything counts, milliseconds. */
export const LONGEST_WINDOW_MS = Math.max(...[...PAGE_WINDOWS, ...API_WINDOWS].map(({ withinMs }) => withinMs));

/**
 * Whether a number's prompts for every bill of the environment count together. In the sandbox no phone rings, and everybody's
 * tests use the same few numbers: there a number's prompts count for each bill by itself.
 */
export function countsOverBills(environment: Environment): boolean {
  return environment === 'live';
}

/** What counting needs of an attempt. */
export type Prompt = Pick<Attempt, 'state' | 'failureReason' | 'providerAccountId' | 'sentAt' | 'createdAt'>;

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

/** Which limit one prompt more would pass, and when it would not any more, should nothing else be asked meanwhile. */
export interface LimitReached {
  readonly limit: PromptWindow['per'];
  readonly until: Date;
}

/**
 * Decides whether one prompt more may be shown. Pure.
 * @param earlier the number's and the bill's attempts; older ones than the longest window may be left out.
 * @returns null when it may; else the limit that holds longest.
 */
export function reachedLimit(
  windows: readonly PromptWindow[],
  earlier: Readonly<Record<PromptWindow['per'], readonly Prompt[]>>,
  now: Date,
): LimitReached | null {
  let reached: LimitReached | null = null;
  for (const { per, most, withinMs } of windows) {
    const oldest = earlier[per]
      .map((prompt) => shownAt(prompt, now)?.getTime() ?? Number.NEGATIVE_INFINITY)
      .filter((shown) => shown > now.getTime() - withinMs)
      .sort((a, b) => b - a)
      .at(most - 1);
    if (oldest === undefined) continue;
    const until = addMs(new Date(oldest), withinMs);
    if (reached === null || until > reached.until) reached = { limit: per, until };
  }
  return reached;
}
