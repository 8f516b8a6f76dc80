import { addMs, SECOND_MS } from '@/lib/core/clock';

/** Longest time until the page shows help. A prompt normally appears within seconds. */
const HELP_AFTER_MS = 30 * SECOND_MS;

/** The times at which the text about a sent prompt changes. */
export interface PromptTimes {
  /** From this time on, the page explains what to do if no prompt has appeared. */
  readonly helpAt: Date;
  /** The prompt expires at this time. */
  readonly until: Date;
}

/** Returns the times of a prompt. Help is shown before a quarter of its time has passed. @param promptMs milliseconds until it expires. */
export function promptTimes(sentAt: Date, promptMs: number): PromptTimes {
  return { helpAt: addMs(sentAt, Math.min(HELP_AFTER_MS, promptMs / 4)), until: addMs(sentAt, promptMs) };
}
