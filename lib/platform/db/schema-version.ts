import type { Queryable } from './database';
import { postgresError } from './errors';
import { MOVE_PROBLEM, MOVE_RECORD, SELECT_APPLIED } from './migration-table';
import { type AppliedMigration, appliedSchema, type Migration, readMigrations } from './migrations';
import { findUnreleasedMigrations, UNRELEASED_PROBLEM } from './unreleased-migrations';

/** How the migrations of a database differ from those of this program. Lists are ordered by name, oldest first. */
interface SchemaVersion {
  /** Whether the database has no migrations. */
  readonly empty: boolean;
  /** Migrations that the database lacks. The program must not use such a database. */
  readonly missing: readonly string[];
  /** Migrations that this program does not know: a newer version uses or has used the database. */
  readonly unknown: readonly string[];
  /** Migrations that were applied with another text than this program has. `checksum` is the checksum of this program's text. */
  readonly changed: readonly AppliedMigration[];
  /** Why no migration can make the database usable: an old development version created it, or a move into it did not finish. */
  readonly unusable: string | null;
}

const UNDEFINED_TABLE = '42P01';

// The migrations are read once, because an upgrade replaces the files while the old process still runs.
let program: Promise<Migration[]> | undefined;

/** Compares the migrations of this program with those of the database, with one query. */
export async function compareSchema(db: Queryable): Promise<SchemaVersion> {
  program ??= readMigrations();
  const migrations = await program;
  const rows = await readApplied(db);
  const unreleased = findUnreleasedMigrations(rows);
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const moving = applied.delete(MOVE_RECORD);
  const known = (name: string) => unreleased !== 'none' || migrations.some((migration) => migration.name === name);
  return {
    empty: applied.size === 0 && !moving,
    missing: migrations.flatMap(({ name }) => (applied.has(name) ? [] : [name])),
    unknown: [...applied.keys()].filter((name) => !known(name)),
    changed: migrations.flatMap(({ name, checksum }) => ((applied.get(name) ?? checksum) === checksum ? [] : [{ name, checksum }])),
    unusable: moving ? MOVE_PROBLEM : unreleased === 'incomplete' ? UNRELEASED_PROBLEM : null,
  };
}

/** Returns the applied migrations; none if the table does not exist. */
async function readApplied(db: Queryable): Promise<AppliedMigration[]> {
  try {
    return appliedSchema.parse(await db.query({ text: SELECT_APPLIED }));
  } catch (error) {
    if (postgresError(error)?.code === UNDEFINED_TABLE) return [];
    throw error;
  }
}

/** Returns why this program cannot use the database and what to do, or undefined if it can. */
export function schemaProblem({ missing, unusable }: SchemaVersion): string | undefined {
  if (unusable !== null) return unusable;
  const [first] = missing;
  if (first === undefined) return undefined;
  const others = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  return `The database is older than this version of Bili: it lacks the migration ${first}${others}. Run "npm run -s bili -- migrate" first.`;
}
