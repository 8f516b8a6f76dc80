import { addMs } from '@/lib/core/clock';
import type { Queryable } from '@/lib/db/database';
import type { Attempt } from '@/lib/payments/rules';
import { findNumberProblem } from './decide-prompt';
import { countsOverBills, LONGEST_WINDOW_MS } from './prompt-limits';
import { listPromptsBefore } from './prompt-store';
import type { SendingFacts } from './sending-store';

/**
 * Checks right before a prompt is sent whether its number is blocked or has had too many prompts. The check is here and not in the
 * creation of the bill, so that creating a bill needs no extra query.
 */
export async function findPromptProblem(
  db: Queryable,
  attempt: Attempt,
  { refused, prompted }: Pick<SendingFacts, 'refused' | 'prompted'>,
  now: Date,
): Promise<'number_refused' | 'too_many_prompts' | null> {
  const counts = prompted && countsOverBills(attempt.environment);
  const prompts = counts ? await listPromptsBefore(db, attempt.id, addMs(now, -LONGEST_WINDOW_MS)) : [];
  const problem = findNumberProblem({ refused, prompts, now }, 'api');
  if (problem === null) return null;
  return problem.kind === 'refused' ? 'number_refused' : 'too_many_prompts';
}
