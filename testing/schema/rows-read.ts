import type { Queryable } from '@/lib/platform/db/database';

/** Returns how many rows of each table `work` reads in a transaction, by SQL or by Prisma, including rows that were filtered out. */
export async function rowsRead(
  tx: Queryable,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<{ readonly table: string; readonly rows: number }[]> {
  const count = () =>
    tx.query<{ table: string; rows: number }>(
      {
        text: `SELECT name AS table, coalesce(seq_tup_read + coalesce(idx_tup_fetch, 0), 0)::int AS rows
               FROM unnest($1::text[]) AS name LEFT JOIN pg_stat_xact_user_tables ON relname = name ORDER BY name`,
      },
      [tables],
    );
  const before = await count();
  await work();
  const after = await count();
  return after.map(({ table, rows }, index) => ({ table, rows: rows - (before[index]?.rows ?? 0) }));
}
