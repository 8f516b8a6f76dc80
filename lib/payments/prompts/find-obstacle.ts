import type { Queryable } from '@/lib/db/database';
import type { Attempt } from '@/lib/payments/rules';
import type { Outcome } from '@/lib/providers/port/outcome';
import { findPromptProblem } from './find-prompt-problem';
import type { SendingFacts } from './sending-store';

/**
 * Returns why a requested prompt must not reach the customer any more; null if it may. While it waited, somebody may have paid the bill,
 * the bill may have expired, the merchant may have been suspended, or the number may have been blocked.
 */
export async function findObstacle(db: Queryable, attempt: Attempt, facts: SendingFacts, now: Date): Promise<Outcome | null> {
  if (facts.tooMuch) return { kind: 'overtaken' };
  if (!facts.merchantActive) return { kind: 'withdrawn', reason: 'merchant_inactive' };
  if (facts.expiresAt !== null && facts.expiresAt <= now) return { kind: 'withdrawn', reason: 'bill_expired' };
  const problem = await findPromptProblem(db, attempt, facts, now);
  return problem === null ? null : { kind: 'failed', reason: problem };
}
