import { createHash } from 'node:crypto';
import type { AppliedMigration } from './migrations';

/** The first of the 50 migrations that development versions had. One initial migration replaced them before the first release. */
const FIRST = '20261120000000_first';

/**
 * SHA-256 of the names and checksums of all 50 development migrations. There are two values, because one migration existed with two texts.
 * A later migration removed the difference, so the tables are the same.
 */
const COMPLETE: readonly string[] = [
  '134b6a45f8bdf1ba65287923a633bbcabbba013f003d613219203c43b3b25b14',
  'b9aa344c7d96d685cc8d2bc75569f14f04956f50ea8c5190ee128a7812dd1452',
];

/** The problem of a development version's database that lacks some of the 50 development migrations, or in which some of them differ. */
export const UNRELEASED_PROBLEM =
  'The database was created by a development version of Bili from before the first release, but not by the last development version, so it cannot be upgraded. Use an empty database, or another DATA_DIR if Bili runs its own PostgreSQL.';

/**
 * Recognises the database of a development version.
 * @returns `complete` if it has all 50 development migrations, so that its tables are those of the initial migration; `incomplete` if it
 * has only some of them, or other texts of them; `none` for a database that no development version created.
 */
export function findUnreleasedMigrations(applied: readonly AppliedMigration[]): 'none' | 'complete' | 'incomplete' {
  if (!applied.some(({ name }) => name === FIRST)) return 'none';
  const lines = applied.map(({ name, checksum }) => `${name} ${checksum}`).sort();
  return COMPLETE.includes(createHash('sha256').update(lines.join('\n')).digest('hex')) ? 'complete' : 'incomplete';
}
