import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';

export interface NoteRow {
  readonly id: string;
  /** `user:<e-mail>`. */
  readonly by: string;
  readonly text: string;
  readonly at: Date;
}

/** @returns a bill's notes, oldest first. */
export async function listNoteRows(db: Queryable, scope: Scope, billId: string): Promise<NoteRow[]> {
  return db.query<NoteRow>(
    {
      text: `SELECT id, created_by AS by, text, created_at AS at FROM bill_note
             WHERE bill_id = $1 AND merchant_id = $2 AND environment = $3 ORDER BY created_at, id`,
    },
    [billId, scope.merchantId, scope.environment],
  );
}

/** @returns false when there is a note with this id already. */
export async function insertNote(tx: Queryable, scope: Scope, billId: string, { id, by, text, at }: NoteRow): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `INSERT INTO bill_note (id, merchant_id, environment, bill_id, created_by, text, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (id) DO NOTHING RETURNING 1 AS made`,
    },
    [id, scope.merchantId, scope.environment, billId, by, text, at],
  );
  return rows.length > 0;
}
