import type { Queryable } from './database';
import { postgresError } from './errors';
import { type Migration, readMigrations, readReleasedChecksums } from './migrations';

/** How the migrations of a database differ from those of this program; by name, oldest first. */
interface SchemaVersion {
  /** The database has no migration at all. */
  readonly empty: boolean;
  /** This program has them and the database does not: the program must not use it. */
  readonly missing: readonly string[];
  /** The database has them and this program does not: a newer version runs, or has run, beside it. */
  readonly unknown: readonly string[];
  /** Applied with a text that this program does not accept; `checksum` is that of this program's text. */
  readonly changed: readonly { readonly name: string; readonly checksum: string }[];
}

interface ProgramVersion {
  readonly migrations: readonly Migration[];
  readonly released: ReadonlyMap<string, readonly string[]>;
}

const UNDEFINED_TABLE = '42P01';

// Read once, when the process starts: an upgrade in place replaces the files while the old process still runs.
let program: Promise<ProgramVersion> | undefined;

/** Compares the migrations of this program with those that a database records, by one query. */
export async function compareSchema(db: Queryable): Promise<SchemaVersion> {
  program ??= readProgramVersion();
  const { migrations, released } = await program;
  const applied = new Map((await readApplied(db)).map(({ name, checksum }) => [name, checksum]));
  return {
    empty: applied.size === 0,
    missing: migrations.flatMap(({ name }) => (applied.has(name) ? [] : [name])),
    unknown: [...applied.keys()].filter((name) => !migrations.some((migration) => migration.name === name)),
    changed: migrations.flatMap(({ name, checksum }) => {
      const recorded = applied.get(name) ?? checksum;
      return recorded === checksum || released.get(name)?.includes(recorded) ? [] : [{ name, checksum }];
    }),
  };
}

async function readProgramVersion(): Promise<ProgramVersion> {
  return { migrations: await readMigrations(), released: await readReleasedChecksums() };
}

/** @returns the migrations that a database has; none when it has no table of them. */
async function readApplied(db: Queryable): Promise<{ name: string; checksum: string }[]> {
  try {
    return await db.query<{ name: string; checksum: string }>({
      text: `SELECT migration_name AS name, checksum FROM _prisma_migrations
             WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`,
    });
  } catch (error) {
    if (postgresError(error)?.code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

/** @returns why this program cannot use the database and what to do, or undefined when it can. */
export function schemaProblem({ missing }: SchemaVersion): string | undefined {
  const [first] = missing;
  if (first === undefined) return undefined;
  const others = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  return `The database is older than this version of Bili: it lacks the migration ${first}${others}. Run "npm run -s bili -- migrate" first.`;
}
