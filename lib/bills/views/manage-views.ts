import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { formatBillQuery } from '@/lib/bills/list/filter';
import { parseBillQuery, queryValues } from '@/lib/bills/list/parse-filter';
import { isUuid, newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { postgresError } from '@/lib/db/errors';
import type { Runtime } from '@/lib/runtime/runtime';
import { readViewName, type SavedView, VIEW_QUERY_MAX, VIEWS_MAX, type ViewProblem, viewOwner } from './saved-view';
import { deleteViewRow, insertView, listViewRows, renameViewRow } from './saved-view-store';

/** Returns a member's saved views of a merchant, oldest first. */
export async function listViews({ db }: Pick<Runtime, 'db'>, access: MerchantAccess): Promise<SavedView[]> {
  return listViewRows(db, viewOwner(access));
}

interface SaveViewOptions {
  readonly name: string;
  /** The query string of the list. Invalid parts are dropped. */
  readonly query: string;
}

export async function saveView(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { name: typed, query }: SaveViewOptions,
): Promise<Result<SavedView, ViewProblem>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  const name = readViewName(typed);
  if (!name.ok) return name;
  if (query.length > VIEW_QUERY_MAX) return fail('query_too_long');
  const asked = parseBillQuery(queryValues(new URLSearchParams(query))).query;
  const view: SavedView = { id: newId(runtime), name: name.value, query: formatBillQuery(asked).toString() };
  const owner = viewOwner(access);
  if ((await listViewRows(runtime.db, owner)).length >= VIEWS_MAX) return fail('too_many');
  return runtime.db.transaction(async (tx) => {
    if (!(await insertView(tx, owner, { ...view, createdAt: runtime.clock() }))) return fail('name_used');
    const data = { name: view.name, query: view.query };
    await recordEntry(runtime, { ...access.scope, actor: access.actor, action: 'view.saved', subject: view.id, data }, tx);
    return ok(view);
  });
}

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
