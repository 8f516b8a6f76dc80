import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import { PROJECT_ROOT } from '@/lib/config/project-root';
import type { Queryable } from './database';
import { withEngine } from './schema-engine';

const MIGRATIONS = join(PROJECT_ROOT, 'prisma', 'migrations');
const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Applies the migrations that a database does not have yet, with Prisma's own engine as WebAssembly (the native one would
 * be downloaded). Writes the ordinary `_prisma_migrations` table, under Prisma's own advisory lock.
 * @returns the names of those applied.
 */
export async function migrate(url: string): Promise<string[]> {
  return withEngine(url, [], async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: await readMigrations(), filters: NO_FILTERS });
    return appliedMigrationNames;
  });
}

/** @returns the names of the migrations that a database does not have yet, oldest first. */
export async function pendingMigrations(db: Queryable): Promise<string[]> {
  const applied = await db.query<{ name: string }>({
    text: 'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  });
  const names = new Set(applied.map(({ name }) => name));
  return (await listMigrations()).filter((name) => !names.has(name));
}

/** @returns the SQL that would turn a migrated database into what schema.prisma says; empty when they agree. */
export async function schemaDrift(url: string): Promise<string> {
  const path = join(PROJECT_ROOT, 'prisma', 'schema.prisma');
  const files = [{ path, content: await readFile(path, 'utf8') }];
  return withEngine(url, files, async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: PROJECT_ROOT },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: false,
      filters: NO_FILTERS,
    });
    return stdout?.replace(/^-- This is an empty migration\.\s*$/m, '').trim() ?? '';
  });
}

/** @returns the names of all migrations, oldest first. */
async function listMigrations(): Promise<string[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

async function readMigrations(): Promise<MigrationList> {
  const names = await listMigrations();
  return {
    baseDir: MIGRATIONS,
    lockfile: { path: 'migration_lock.toml', content: await readFile(join(MIGRATIONS, 'migration_lock.toml'), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok' as const, value: await readFile(join(MIGRATIONS, name, 'migration.sql'), 'utf8') },
        },
      })),
    ),
  };
}
