import { addMs, SECOND_MS } from '@/lib/core/clock';

/** A prompt that is coming is there within seconds; from then on its owner may wonder. A quarter of a short-lived one's life. */
const HELP_AFTER_MS = 30 * SECOND_MS;

/** When what can be said to somebody who waits for a prompt changes. */
export interface PromptTimes {
  /** From here on the page says what to do about a prompt that did not come; earlier, it is most likely on its way. */
  readonly helpAt: Date;
  /** Until then the provider lets the prompt be answered. */
  readonly until: Date;
}

/** Pure. @param promptMs how long the provider's prompts live, milliseconds (`Capabilities`). */
export function promptTimes(sentAt: Date, promptMs: number): PromptTimes {
  return { helpAt: addMs(sentAt, Math.min(HELP_AFTER_MS, promptMs / 4)), until: addMs(sentAt, promptMs) };
}
