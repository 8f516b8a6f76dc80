import type { Connection, Queryable } from '@/lib/db/database';
import { text, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { SavedView, ViewOwner } from './saved-view';

const COLUMNS = { id: uuid, name: text, query: text };

/** Returns a member's saved views, oldest first, so that the tabs with the views stay in the same order. */
export async function listViewRows({ prisma }: Connection, { merchantId, userId }: ViewOwner): Promise<SavedView[]> {
  const select = { id: true, name: true, query: true } as const;
  return prisma.savedView.findMany({ where: { merchantId, userId }, select, orderBy: { id: 'asc' } });
}

/** Returns false if the member already has a view with this name. The view is not inserted then. */
export async function insertView(
  { prisma }: Connection,
  { merchantId, userId }: ViewOwner,
  view: SavedView & { readonly createdAt: Date },
): Promise<boolean> {
  const { count } = await prisma.savedView.createMany({ data: { ...view, merchantId, userId }, skipDuplicates: true });
  return count > 0;
}

const RENAME = statement({
  name: 'rename a view',
  text: `WITH before AS (SELECT id, name, query FROM saved_view WHERE id = $id AND merchant_id = $merchantId AND user_id = $userId FOR UPDATE),
         renamed AS (UPDATE saved_view v SET name = $name FROM before WHERE v.id = before.id)
         SELECT id, name, query FROM before`,
  parameters: { id: uuid, merchantId: uuid, userId: uuid, name: text },
  columns: COLUMNS,
});

/** Renames a view. Returns the view with its old name, or null if the member has no view with this id. */
export async function renameViewRow(tx: Queryable, { merchantId, userId }: ViewOwner, id: string, name: string): Promise<SavedView | null> {
  return (await RENAME.first(tx, { id, merchantId, userId, name })) ?? null;
}

const DELETE = statement({
  name: 'delete a view',
  text: 'DELETE FROM saved_view WHERE id = $id AND merchant_id = $merchantId AND user_id = $userId RETURNING id, name, query',
  parameters: { id: uuid, merchantId: uuid, userId: uuid },
  columns: COLUMNS,
});

/** Deletes a view. Returns the deleted view, or null if the member has no view with this id. */
export async function deleteViewRow(tx: Queryable, { merchantId, userId }: ViewOwner, id: string): Promise<SavedView | null> {
  return (await DELETE.first(tx, { id, merchantId, userId })) ?? null;
}
