import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/config/project-root';

const MIGRATIONS_FOLDER = join(PROJECT_ROOT, 'prisma', 'migrations');

/** The checksum of every released migration, one line each, as `sha256sum` prints it. */
const CHECKSUMS_FILE = join(PROJECT_ROOT, 'prisma', 'migrations.sha256');
const CHECKSUM_LINE = /^([0-9a-f]{64}) {2}prisma\/migrations\/([^/]+)\/migration\.sql$/;

/** A migration whose first line this is runs statement by statement, outside a transaction. */
const NO_TRANSACTION = /^-- bili: no transaction\s*$/;

export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file in hexadecimal, as Prisma records it. */
  readonly checksum: string;
  readonly inTransaction: boolean;
}

/** @returns all migrations of a folder, oldest first. */
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

/** @returns the accepted checksums by migration. Two for a migration that was edited once after its release and repaired since. */
export async function readReleasedChecksums(): Promise<Map<string, string[]>> {
  const lines = (await readFile(CHECKSUMS_FILE, 'utf8')).split('\n').filter((line) => line !== '');
  const parsed = lines.map((line) => {
    const [, checksum, name] = CHECKSUM_LINE.exec(line) ?? [];
    if (checksum === undefined || name === undefined)
      throw new Error(`prisma/migrations.sha256 has a line that sha256sum does not print: ${line}`);
    return { checksum, name };
  });
  return new Map(
    [...Map.groupBy(parsed, ({ name }) => name)].map(([name, found]) => [name, [...new Set(found.map(({ checksum }) => checksum))]]),
  );
}
