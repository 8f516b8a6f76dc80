import { openDatabase } from '@/lib/db/database';
import { migrate } from '@/lib/db/migrate';
import { compareSchema } from '@/lib/db/schema-version';

/** Applies the missing migrations. Returns their names, and the names of applied migrations whose file has changed since. */
export async function upgrade(url: string): Promise<{ readonly applied: readonly string[]; readonly changed: readonly string[] }> {
  const applied = await migrate(url);
  const db = openDatabase({ url, poolSize: 1, applicationName: 'bili-cli', need: 'answers', onError: () => undefined });
  try {
    return { applied, changed: (await compareSchema(db)).changed.map(({ name }) => name) };
  } finally {
    await db.close();
  }
}
