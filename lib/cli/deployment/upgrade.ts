import { openDatabase } from '@/lib/db/database';
import { migrate } from '@/lib/db/migrate';
import { compareSchema } from '@/lib/db/schema-version';

/** Applies the missing migrations. @returns their names, and those that were applied earlier with another text than this version has. */
export async function upgrade(url: string): Promise<{ readonly applied: readonly string[]; readonly changed: readonly string[] }> {
  const applied = await migrate(url);
  const db = openDatabase({ url, poolSize: 1, applicationName: 'bili-cli', need: 'answers', onError: () => undefined });
  try {
    return { applied, changed: (await compareSchema(db)).changed.map(({ name }) => name) };
  } finally {
    await db.close();
  }
}
