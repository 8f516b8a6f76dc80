import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { viewOwner } from './saved-view';
import { deleteViewRow } from './saved-view-store';

/** Deletes one of a member's saved views. Returns whether it existed. */
export async function deleteView(runtime: Pick<Runtime, 'db' | 'clock' | 'random'>, access: MerchantAccess, id: string): Promise<boolean> {
  if (!may(access, 'bills.view') || !isUuid(id)) return false;
  return runtime.db.transaction(async (tx) => {
    const gone = await deleteViewRow(tx, viewOwner(access), id);
    if (gone === null) return false;
    const data = { name: gone.name, query: gone.query };
    await recordEntry(runtime, { ...access.scope, actor: access.actor, action: 'view.deleted', subject: id, data }, tx);
    return true;
  });
}
