import type { Queryable } from '@/lib/db/database';

export interface Notice {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** With the one that it was claimed for. */
  readonly tries: number;
  readonly createdAt: Date;
}

export async function insertNotice(
  tx: Queryable,
  { id, body, now }: { readonly id: string; readonly body: Notice['body']; readonly now: Date },
): Promise<void> {
  await tx.query({ text: 'INSERT INTO operator_notice (id, body, due_at, created_at) VALUES ($1, $2, $3, $3)' }, [
    id,
    JSON.stringify(body),
    now,
  ]);
}

/** Takes due notices; whoever takes one and dies leaves it due again at an instant. */
export async function claimNotices(
  db: Queryable,
  { now, dueAgain, limit }: { readonly now: Date; readonly dueAgain: Date; readonly limit: number },
): Promise<Notice[]> {
  return db.query<Notice & { id: string }>(
    {
      text: `UPDATE operator_notice SET due_at = $2, tries = tries + 1 WHERE id IN (
               SELECT id FROM operator_notice WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
             RETURNING id, body, tries, created_at AS "createdAt"`,
    },
    [now, dueAgain, limit],
  );
}

/** @param dueAt when to post it again; null when it was taken, or given up. */
export async function settleNotice(
  db: Queryable,
  { id }: Pick<Notice, 'id'>,
  { dueAt, error }: { readonly dueAt: Date | null; readonly error: string | null },
): Promise<void> {
  await db.query({ text: 'UPDATE operator_notice SET due_at = $2, last_error = $3 WHERE id = $1' }, [id, dueAt, error]);
}

/** @returns how many were deleted. */
export async function deleteSettledNotices(db: Queryable, createdBefore: Date): Promise<number> {
  const deleted = await db.query({ text: 'DELETE FROM operator_notice WHERE due_at IS NULL AND created_at < $1 RETURNING 1 AS deleted' }, [
    createdBefore,
  ]);
  return deleted.length;
}

/** @returns how many were given up. */
export async function countLostNotices(db: Queryable): Promise<{ lost: number; lastError: string | null }> {
  const [row] = await db.query<{ lost: number; lastError: string | null }>({
    text: `SELECT count(*)::int AS lost, max(last_error) AS "lastError" FROM operator_notice WHERE last_error IS NOT NULL`,
  });
  return row ?? { lost: 0, lastError: null };
}
