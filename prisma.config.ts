import { resolve } from 'node:path';
import { defineConfig } from 'prisma/config';
import { hasDatabase, storeSecrets } from './lib/platform/config/data-dir';
import { findRunningEmbedded } from './lib/platform/db/embedded';

// Prisma's command line would download its engine and ask for updates. Neither is needed, and both fail without a network.
if (process.platform !== 'win32') process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= resolve('prisma/schema-engine.mjs');
process.env.PRISMA_HIDE_UPDATE_MESSAGE ??= '1';
process.env.CHECKPOINT_DISABLE ??= '1';

const url = process.env.DATABASE_URL || (await findEmbedded(resolve(process.env.DATA_DIR || '.data')));

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(url !== undefined && { datasource: { url } }),
});

/** @returns the address of the embedded database that runs in a folder, if one does. */
async function findEmbedded(dataDir: string): Promise<string | undefined> {
  if (!hasDatabase(dataDir)) return undefined;
  const secrets = await storeSecrets(dataDir, undefined).catch(() => undefined);
  return secrets && (await findRunningEmbedded(dataDir, secrets))?.ownerUrl;
}
