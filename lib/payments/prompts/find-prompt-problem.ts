import { addMs } from '@/lib/core/clock';
import type { Attempt } from '@/lib/payments/rules';
import { isRefused } from '@/lib/refusals/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { findNumberProblem } from './decide-prompt';
import { countsOverBills, LONGEST_WINDOW_MS } from './prompt-limits';
import { listPromptsBefore } from './prompt-store';

/**
 * Looks for what stands against ringing a phone, right before it would ring: its owner refuses prompts, or too many have been
 * sent there. Decided here and not when a bill is created, so that creating one costs no query.
 */
export async function findPromptProblem(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  attempt: Attempt,
): Promise<'number_refused' | 'too_many_prompts' | null> {
  const now = clock();
  const counts = countsOverBills(attempt.environment);
  const prompts = counts ? await listPromptsBefore(db, attempt.id, addMs(now, -LONGEST_WINDOW_MS)) : [];
  const objection = findNumberProblem({ refused: await isRefused(db, attempt), prompts, now }, 'api');
  if (objection === null) return null;
  return objection.kind === 'refused' ? 'number_refused' : 'too_many_prompts';
}
