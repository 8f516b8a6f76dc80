import type { Attempt } from '@/lib/gateway/payments/rules';
import { addMs } from '@/lib/platform/core/clock';
import type { Queryable } from '@/lib/platform/db/database';
import type { Outcome } from '@/lib/providers/port/outcome';
import { countsOverBills, findNumberProblem, LONGEST_WINDOW_MS } from './decide-prompt';
import { listPromptsBefore } from './prompt-store';
import type { SendingFacts } from './sending-store';

/**
 * Returns why a requested prompt must not reach the customer any more; null if it may. While it waited, somebody may have paid the bill,
 * the bill may have expired, the merchant may have been suspended, or the number may have been blocked or have had too many prompts. The
 * limits of the number are checked here and not when a bill is created, so that creating a bill needs no extra query.
 */
export async function findObstacle(db: Queryable, attempt: Attempt, facts: SendingFacts, now: Date): Promise<Outcome | null> {
  const { tooMuch, merchantActive, expiresAt, refused, prompted } = facts;
  if (tooMuch) return { kind: 'overtaken' };
  if (!merchantActive) return { kind: 'withdrawn', reason: 'merchant_inactive' };
  if (expiresAt !== null && expiresAt <= now) return { kind: 'withdrawn', reason: 'bill_expired' };
  const counts = prompted && countsOverBills(attempt.environment);
  const prompts = counts ? await listPromptsBefore(db, attempt.id, addMs(now, -LONGEST_WINDOW_MS)) : [];
  const problem = findNumberProblem({ refused, prompts, now }, 'api');
  if (problem === null) return null;
  return { kind: 'failed', reason: problem.kind === 'refused' ? 'number_refused' : 'too_many_prompts' };
}
