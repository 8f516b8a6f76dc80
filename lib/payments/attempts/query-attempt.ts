import { isUuid } from '@/lib/core/ids';
import { makeQueryDue } from '@/lib/payments/attempts/hint-store';
import type { Runtime } from '@/lib/runtime/runtime';

/** Makes a status query due now, also if the queries had stopped or the attempt had failed. Returns false if nothing can be queried. */
export async function queryAttempt({ db, clock }: Pick<Runtime, 'db' | 'clock'>, attemptId: string): Promise<boolean> {
  return isUuid(attemptId) && makeQueryDue(db, attemptId, { now: clock(), claimsPaid: false });
}
