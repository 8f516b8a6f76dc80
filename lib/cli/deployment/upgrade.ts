import type { ConnectedSettings } from '@/lib/config/settings';
import { openDatabase } from '@/lib/db/database';
import { migrate } from '@/lib/db/migrate';
import { compareSchema } from '@/lib/db/schema-version';
import { checkDatabase } from './open-database';

/** Applies the missing migrations. Returns their names, and the names of applied migrations whose file has changed since. */
export async function upgrade({
  DATABASE_URL: url,
  MIGRATE_DATABASE_URL: ownerUrl = url,
}: ConnectedSettings): Promise<{ readonly applied: readonly string[]; readonly changed: readonly string[] }> {
  if (ownerUrl !== url) await checkDatabase(ownerUrl, 'MIGRATE_DATABASE_URL');
  const applied = await migrate(ownerUrl, { applicationUrl: url });
  const db = openDatabase({ url, poolSize: 1, applicationName: 'bili-cli', need: 'answers', onError: () => undefined });
  try {
    return { applied, changed: (await compareSchema(db)).changed.map(({ name }) => name) };
  } finally {
    await db.close();
  }
}
