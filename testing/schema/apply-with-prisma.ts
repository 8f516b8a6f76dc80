import type { MigrationList } from '@prisma/schema-engine-wasm';
import { MIGRATIONS_FOLDER, readMigrations } from '@/lib/platform/db/migrations';
import { withEngine } from './schema-engine';

const FILTERS = { externalTables: [], externalEnums: [] };

/** Applies the migrations as `prisma migrate deploy` does. Returns their names. */
export async function applyWithPrisma(url: string): Promise<string[]> {
  const migrationsList = await readList();
  return withEngine(url, [], async (engine) => (await engine.applyMigrations({ migrationsList, filters: FILTERS })).appliedMigrationNames);
}

/** Returns the problems that `prisma migrate status` reports for a database. */
export async function statusByPrisma(url: string): Promise<string[]> {
  const migrationsList = await readList();
  return withEngine(url, [], async (engine) => {
    const found = await engine.diagnoseMigrationHistory({ migrationsList, filters: FILTERS, optInToShadowDatabase: false });
    return [...found.editedMigrationNames, ...found.failedMigrationNames, ...(found.history === null ? [] : [found.history.diagnostic])];
  });
}

async function readList(): Promise<MigrationList> {
  const migrations = await readMigrations();
  return {
    baseDir: MIGRATIONS_FOLDER,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}
