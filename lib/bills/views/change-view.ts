import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { postgresError } from '@/lib/db/errors';
import type { Runtime } from '@/lib/runtime/runtime';
import { readViewName, type ViewProblem, viewOwner } from './saved-view';
import { deleteViewRow, renameViewRow } from './saved-view-store';

const UNIQUE_VIOLATION = '23505';

export async function renameView(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { id, name: typed }: { readonly id: string; readonly name: string },
): Promise<Result<null, ViewProblem>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  const name = readViewName(typed);
  if (!name.ok) return name;
  if (!isUuid(id)) return fail('not_found');
  try {
    return await runtime.db.transaction(async (tx) => {
      const before = await renameViewRow(tx, viewOwner(access), id, name.value);
      if (before === null) return fail('not_found');
      const data = { before: before.name, after: name.value };
      await recordEntry(runtime, { ...access.scope, actor: access.actor, action: 'view.renamed', subject: id, data }, tx);
      return ok(null);
    });
  } catch (error) {
    if (postgresError(error)?.code === UNIQUE_VIOLATION) return fail('name_used');
    throw error;
  }
}

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
