import { formatBillQuery, parseBillQuery, queryValues } from '@/lib/backoffice/bill-list/bill-query';
import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { isUuid, newId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Connection } from '@/lib/platform/db/database';
import { postgresError } from '@/lib/platform/db/errors';
import { savedView } from '@/lib/platform/db/generated/tables';
import { pick } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { readViewName, type SavedView, VIEW_QUERY_MAX, VIEWS_MAX, type ViewOwner, type ViewProblem, viewOwner } from './saved-view';

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
    const row = { ...view, ...owner, createdAt: runtime.clock() };
    if ((await tx.prisma.savedView.createMany({ data: row, skipDuplicates: true })).count === 0) return fail('name_used');
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
      const before = await RENAME.first(tx, { ...viewOwner(access), id, name: name.value });
      if (!before) return fail('not_found');
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
    const where = { id, ...viewOwner(access) };
    const gone = await tx.prisma.savedView.findUnique({ where });
    if (!gone || (await tx.prisma.savedView.deleteMany({ where })).count === 0) return false;
    const data = { name: gone.name, query: gone.query };
    await recordEntry(runtime, { ...access.scope, actor: access.actor, action: 'view.deleted', subject: id, data }, tx);
    return true;
  });
}

/** Returns a member's saved views, oldest first, so that the tabs with the views stay in the same order. */
async function listViewRows({ prisma }: Connection, { merchantId, userId }: ViewOwner): Promise<SavedView[]> {
  const select = { id: true, name: true, query: true } as const;
  return prisma.savedView.findMany({ where: { merchantId, userId }, select, orderBy: { id: 'asc' } });
}

/** Renames a view. Returns the view with its old name, or nothing if the member has no view with this id. */
const RENAME = statement({
  name: 'rename a view',
  text: `WITH before AS (SELECT id, name, query FROM saved_view WHERE id = $id AND merchant_id = $merchantId AND user_id = $userId FOR UPDATE),
         renamed AS (UPDATE saved_view v SET name = $name FROM before WHERE v.id = before.id)
         SELECT id, name, query FROM before`,
  parameters: pick(savedView, 'id merchantId userId name'),
  columns: pick(savedView, 'id name query'),
});
