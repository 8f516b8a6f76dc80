import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

export const MIGRATIONS_FOLDER = join(PROJECT_ROOT, 'prisma', 'migrations');

/** Creates all tables of the first release. */
export const INITIAL_MIGRATION = '20261122000000_initial';

/** The first line of a migration that runs statement by statement, outside a transaction. */
const NO_TRANSACTION = /^-- bili: no transaction\s*$/;

/** The rows of `SELECT_APPLIED`. */
export const appliedSchema = z.array(z.object({ name: z.string(), checksum: z.string() }));

export interface AppliedMigration {
  readonly name: string;
  /** SHA-256 of the file in hexadecimal, as Prisma records it. */
  readonly checksum: string;
}

export interface Migration extends AppliedMigration {
  readonly sql: string;
  readonly inTransaction: boolean;
}

/** Reads all migrations of a folder, oldest first. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  return Promise.all(names.map((name) => readMigration(folder, name)));
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8');
  const checksum = createHash('sha256').update(sql).digest('hex');
  return { name, sql, checksum, inTransaction: !NO_TRANSACTION.test(sql.split('\n', 1)[0] ?? '') };
}
