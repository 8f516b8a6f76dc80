import type { Scope } from '@/lib/core/scope';
import type { Connection } from '@/lib/db/database';

export interface NoteRow {
  readonly id: string;
  /** The author, as the audit log names a member: `user:<e-mail>`. */
  readonly by: string;
  readonly text: string;
  readonly at: Date;
}

/** Returns the notes of a bill, oldest first. */
export async function listNoteRows({ prisma }: Connection, { merchantId, environment }: Scope, billId: string): Promise<NoteRow[]> {
  const rows = await prisma.billNote.findMany({
    where: { billId, merchantId, environment },
    select: { id: true, createdBy: true, text: true, createdAt: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ id, createdBy, text, createdAt }) => ({ id, by: createdBy, text, at: createdAt }));
}

/** Inserts a note. Returns false, and inserts nothing, if a note with this id exists already. */
export async function insertNote(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  billId: string,
  { id, by, text, at }: NoteRow,
): Promise<boolean> {
  const data = { id, merchantId, environment, billId, createdBy: by, text, createdAt: at };
  const { count } = await prisma.billNote.createMany({ data, skipDuplicates: true });
  return count > 0;
}
