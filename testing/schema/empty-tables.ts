import type { Database } from '@/lib/platform/db/database';

/** Empties tables of a test's database. Triggers that forbid it are off during the statement. */
export async function emptyTables(db: Database, tables: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    const guards = await tx.query<{ table: string; trigger: string }>(
      {
        text: `SELECT c.relname AS "table", t.tgname AS trigger FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
               WHERE t.tgname LIKE '%\\_not\\_truncated' AND c.relname = ANY ($1::text[])`,
      },
      [tables],
    );
    for (const { table, trigger } of guards) await tx.query({ text: `ALTER TABLE "${table}" DISABLE TRIGGER "${trigger}"` });
    await tx.query({ text: `TRUNCATE ${tables.join(', ')}` });
    for (const { table, trigger } of guards) await tx.query({ text: `ALTER TABLE "${table}" ENABLE TRIGGER "${trigger}"` });
  });
}
