import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { listRuns, type Reconciliation } from './store';

/** @param accountId null for those of every account. @returns reconciliations, newest first: for the operator. */
export async function listReconciliations({ db }: Pick<Runtime, 'db'>, accountId: string | null): Promise<readonly Reconciliation[]> {
  return accountId !== null && !isUuid(accountId) ? [] : listRuns(db, accountId);
}
