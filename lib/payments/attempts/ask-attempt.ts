import { isUuid } from '@/lib/core/ids';
import { hastenQuery } from '@/lib/payments/move-store';
import type { Runtime } from '@/lib/runtime/runtime';

/** Has the workers ask the provider about an attempt now, also when they had given up or it had failed. @returns false when there is nothing to ask. */
export async function askAttempt({ db, clock }: Pick<Runtime, 'db' | 'clock'>, attemptId: string): Promise<boolean> {
  return isUuid(attemptId) && hastenQuery(db, attemptId, { now: clock(), claimsPaid: false });
}
