import { compareSchema } from '@/lib/db/schema-version';
import { UNRELEASED_PROBLEM } from '@/lib/db/unreleased-migrations';
import { withSession } from '@/lib/db/with-session';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Finding, finding } from './finding';
import { readServerFacts, type ServerFacts } from './store';

/** Checks that the database server accepts writes, that commits are durable, and that database sessions have their settings. */
export async function examineDatabase({ db, settings }: Pick<Runtime, 'db' | 'settings'>): Promise<Finding[]> {
  const facts = await readServerFacts(db);
  const lost = await withSession(settings.DATABASE_URL, 'answers', async (session) => (session.pooled ? session.findLostSettings() : []));
  return [
    finding('database_writable', 'The database accepts writes.', [
      facts.recovering && 'the server is a standby or in recovery: point DATABASE_URL at the primary',
      facts.readOnly && !facts.recovering && 'the server is read-only: default_transaction_read_only is on',
    ]),
    ...examineDurability(facts),
    finding(
      'session_settings',
      'Every database session has the settings it needs.',
      lost.map((name) => `the connection pooler loses ${name}: run "bili migrate", then let the pooler reconnect`),
    ),
  ];
}

/** Values of synchronous_commit with which a commit does not wait until a standby has stored it on disk. */
const WITHOUT_STANDBY = ['off', 'local', 'remote_write'];

export function examineDurability({ fsync, fullPageWrites, synchronousCommit, synchronousStandbys }: ServerFacts): Finding[] {
  const unsafe = Object.entries({ fsync, full_page_writes: fullPageWrites, synchronous_commit: synchronousCommit });
  const notOnStandby = synchronousStandbys !== '' && WITHOUT_STANDBY.includes(synchronousCommit);
  return [
    finding(
      'durable_commits',
      'Commits of PostgreSQL survive a crash.',
      unsafe.map(([setting, value]) => value === 'off' && `${setting} is off: set it to on`),
    ),
    finding(
      'standby_commits',
      'Commits of PostgreSQL are on its synchronous standby, if it has one.',
      notOnStandby
        ? [`synchronous_commit is ${synchronousCommit}, although synchronous_standby_names is "${synchronousStandbys}": set it to on`]
        : [],
      'note',
    ),
  ];
}

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
