import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { listRuns, type Reconciliation } from './store';

/** Lists reconciliations for the operator, newest first. @param accountId null for all accounts. */
export async function listReconciliations({ db }: Pick<Runtime, 'db'>, accountId: string | null): Promise<readonly Reconciliation[]> {
  return accountId !== null && !isUuid(accountId) ? [] : listRuns(db, accountId);
}
