import { addMs } from '@/lib/core/clock';
import type { Attempt } from '@/lib/payments/rules';
import { isRefused } from '@/lib/refusals/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { API_WINDOWS, countsOverBills, LONGEST_WINDOW_MS, reachedLimit, shownAt } from './prompt-limits';
import { listPromptsBefore } from './prompt-store';

/**
 * Looks for what stands against ringing a phone, right before it would ring: its owner refuses prompts, or too many have been
 * sent there. Decided here and not when a bill is created, so that creating one costs no query.
 */
export async function objectToPrompt(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  attempt: Attempt,
): Promise<'number_refused' | 'too_many_prompts' | null> {
  if (await isRefused(db, attempt)) return 'number_refused';
  if (!countsOverBills(attempt.environment)) return null;
  const now = clock();
  const before = await listPromptsBefore(db, attempt.id, addMs(now, -LONGEST_WINDOW_MS));
  const shown = before.map((prompt) => shownAt(prompt, now));
  return reachedLimit(API_WINDOWS, shown, now) ? 'too_many_prompts' : null;
}
