import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { formatBillQuery } from '@/lib/bills/list/filter';
import { parseBillQuery, queryValues } from '@/lib/bills/list/parse-filter';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { readViewName, type SavedView, VIEW_QUERY_MAX, VIEWS_MAX, type ViewProblem, viewOwner } from './saved-view';
import { insertView, listViewRows } from './saved-view-store';

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
