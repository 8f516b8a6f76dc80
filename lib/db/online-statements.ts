import type pg from 'pg';

const CREATE = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "(\w+)" ON /;
const DROP = /^DROP INDEX CONCURRENTLY IF EXISTS "(\w+)"$/;

/**
 * Splits a migration that runs outside a transaction. Each statement must be safe to repeat, because a killed process may have run only
 * some of them. So only two kinds of statements are allowed: CREATE INDEX CONCURRENTLY IF NOT EXISTS and DROP INDEX CONCURRENTLY IF EXISTS.
 * @returns the statements, with the index that each creates or drops. Throws for any other statement.
 */
export function onlineStatements(sql: string): { readonly text: string; readonly index: string; readonly creates: boolean }[] {
  const bare = sql.replace(/^\s*--.*$/gm, '');
  const statements = bare.split(/;\s*$/m).map((text) => text.replace(/\s+/g, ' ').trim());
  return statements
    .filter((text) => text !== '')
    .map((text) => {
      const created = CREATE.exec(text)?.[1];
      const index = created ?? DROP.exec(text)?.[1];
      if (index === undefined) {
        throw new Error(
          `a migration without a transaction may only CREATE INDEX CONCURRENTLY IF NOT EXISTS "name" and DROP INDEX CONCURRENTLY IF EXISTS "name", but has: ${text}`,
        );
      }
      return { text, index, creates: created !== undefined };
    });
}

/** Runs the statements one by one. If a failed build left an INVALID index, drops it first, because IF NOT EXISTS would keep it. */
export async function runOnlineStatements(client: pg.Client, sql: string): Promise<void> {
  for (const { text, index, creates } of onlineStatements(sql)) {
    if (creates && (await isInvalid(client, index))) await client.query(`DROP INDEX CONCURRENTLY "${index}"`);
    await client.query(text);
  }
}

async function isInvalid(client: pg.Client, index: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relname = $1 AND c.relnamespace = current_schema()::regnamespace AND NOT i.indisvalid`,
    [index],
  );
  return rowCount !== 0;
}
