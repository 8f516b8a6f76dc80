import type { Queryable } from '@/lib/db/database';
import type { SavedView, ViewOwner } from './saved-view';

/** Oldest first: tabs stay where they are. */
export async function listViewRows(db: Queryable, { merchantId, userId }: ViewOwner): Promise<SavedView[]> {
  return db.query<SavedView>({ text: 'SELECT id, name, query FROM saved_view WHERE merchant_id = $1 AND user_id = $2 ORDER BY id' }, [
    merchantId,
    userId,
  ]);
}

/** @returns whether it was inserted: not when the person has so many already, or one of that name. */
export async function insertView(
  tx: Queryable,
  { merchantId, userId }: ViewOwner,
  { id, name, query, createdAt }: SavedView & { readonly createdAt: Date },
): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `INSERT INTO saved_view (id, merchant_id, user_id, name, query, created_at) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (merchant_id, user_id, name) DO NOTHING RETURNING id`,
    },
    [id, merchantId, userId, name, query, createdAt],
  );
  return rows.length > 0;
}

/** @returns the view as it was before; null when the person has none of that id. */
export async function renameViewRow(tx: Queryable, { merchantId, userId }: ViewOwner, id: string, name: string): Promise<SavedView | null> {
  const [before] = await tx.query<SavedView>(
    {
      text: `WITH before AS (SELECT id, name, query FROM saved_view WHERE id = $1 AND merchant_id = $2 AND user_id = $3 FOR UPDATE),
             renamed AS (UPDATE saved_view v SET name = $4 FROM before WHERE v.id = before.id)
             SELECT * FROM before`,
    },
    [id, merchantId, userId, name],
  );
  return before ?? null;
}

/** @returns the view that went; null when the person has none of that id. */
export async function deleteViewRow(tx: Queryable, { merchantId, userId }: ViewOwner, id: string): Promise<SavedView | null> {
  const [gone] = await tx.query<SavedView>(
    { text: 'DELETE FROM saved_view WHERE id = $1 AND merchant_id = $2 AND user_id = $3 RETURNING id, name, query' },
    [id, merchantId, userId],
  );
  return gone ?? null;
}
