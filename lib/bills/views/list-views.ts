import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import type { Runtime } from '@/lib/runtime/runtime';
import { type SavedView, viewOwner } from './saved-view';
import { listViewRows } from './saved-view-store';

/** Returns a member's saved views of a merchant, oldest first. */
export async function listViews({ db }: Pick<Runtime, 'db'>, access: MerchantAccess): Promise<SavedView[]> {
  return listViewRows(db, viewOwner(access));
}
