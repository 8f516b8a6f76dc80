import { compareSchema } from '@/lib/db/schema-version';
import { UNRELEASED_PROBLEM } from '@/lib/db/unreleased-migrations';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Finding, finding } from './finding';

/** Compares the migrations of this version with those of the database. */
export async function examineSchema({ db }: Pick<Runtime, 'db'>): Promise<Finding[]> {
  const { missing, unknown, changed, unreleased } = await compareSchema(db);
  return [
    finding(
      'schema_current',
      'The database has the tables of this version.',
      unreleased ? [UNRELEASED_PROBLEM] : missing.map((name) => `${name} is missing: run "bili migrate"`),
    ),
    finding(
      'schema_unchanged',
      'Every migration was applied with the text that this version has.',
      changed.map(
        ({ name, checksum }) =>
          `${name} was applied with another text: compare the tables and indexes with those of a new database. If they are the same, run: UPDATE _prisma_migrations SET checksum = '${checksum}' WHERE migration_name = '${name}'`,
      ),
    ),
    finding(
      'version_current',
      unknown.length > 0 ? 'The database is newer than this version.' : 'The database is not newer than this version.',
      unknown.map((name) => `this version does not know ${name}: it may run during an upgrade, but replace it afterwards`),
      'note',
    ),
  ];
}
