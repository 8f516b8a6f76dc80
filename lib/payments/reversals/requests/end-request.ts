import type { Queryable } from '@/lib/db/database';
import type { FailureReason } from '@/lib/providers/port/outcome';
import { closeReviews } from '@/lib/reviews/store';
import { settleRequest } from './store';

interface End {
  readonly state: 'SUCCEEDED' | 'FAILED';
  readonly failureReason: FailureReason | null;
  readonly now: Date;
  readonly by: string;
}

/** Settles a request and closes its review. Returns false if it was already settled. */
export async function endRequest(tx: Queryable, id: string, { state, failureReason, now, by }: End): Promise<boolean> {
  if (!(await settleRequest(tx, id, { state, failureReason, now }))) return false;
  const resolution = `the reversal is ${state}`;
  await closeReviews(tx, { kind: 'reversal_unresolved', reversalRequestId: id }, { resolvedBy: by, resolution, now });
  return true;
}
