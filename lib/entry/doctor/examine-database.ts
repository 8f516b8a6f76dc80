import { countUnindexed } from '@/lib/backoffice/search/index-search';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import { lowestId } from '@/lib/platform/core/ids';
import { findCommitProblem } from '@/lib/platform/db/check-writable';
import { compareSchema } from '@/lib/platform/db/schema-version';
import { withSession } from '@/lib/platform/db/with-session';
import { readHold } from '@/lib/platform/hold/hold-store';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type Finding, finding } from './finding';
import { type RoleFacts, readRoleFacts, readServerFacts, type ServerFacts } from './store';

/** Checks that the database server accepts writes, that commits are durable, and that database sessions have their settings. */
export async function examineDatabase({ db, settings }: Pick<Runtime, 'db' | 'settings'>): Promise<Finding[]> {
  const facts = await readServerFacts(db);
  const writable = !facts.recovering && !facts.readOnly;
  const lost = await withSession(settings.DATABASE_URL, 'answers', async (session) => (session.pooled ? session.findLostSettings() : []));
  return [
    finding('database_writable', 'The database accepts writes.', [
      facts.recovering && 'the server is a standby or in recovery: point DATABASE_URL at the primary',
      facts.readOnly && !facts.recovering && 'the server is read-only: default_transaction_read_only is on',
    ]),
    finding(
      'commits_end',
      'The database commits a write within two seconds, and its disk has space.',
      writable ? [(await findCommitProblem(settings.DATABASE_URL)) ?? false] : [],
    ),
    ...examineDurability(facts),
    ...examineRole(await readRoleFacts(db)),
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

/** Checks that web and worker cannot switch off the triggers that guard the ledger and the audit log. */
function examineRole({ role, isSuperuser, ownsTables }: RoleFacts): Finding[] {
  const change =
    `as a superuser run: CREATE ROLE bili_app LOGIN PASSWORD '…'. Set MIGRATE_DATABASE_URL to the DATABASE_URL of now, and ` +
    'DATABASE_URL to the same address with the new role and its password. Run "bili migrate", then start web and workers again';
  return [
    finding('database_role', 'The database role of web and worker is not a superuser.', [
      isSuperuser && `"${role}" is a superuser, who can run programs on the machine of the database: ${change}`,
    ]),
    finding(
      'database_owner',
      'The database role of web and worker does not own the ledger and the audit log.',
      [ownsTables && !isSuperuser && `"${role}" owns their tables, so it can switch off their guards: ${change}`],
      'note',
    ),
  ];
}

/** Reports that the copy of the database is on hold. It is a note, because a restored copy is right to be so. */
export async function examineHold({ db }: Pick<Runtime, 'db'>): Promise<Finding> {
  const hold = await readHold(db);
  const text = hold === null ? 'This copy of the database is not on hold.' : 'This copy of the database is on hold: it sends nothing.';
  const details = hold === null ? [] : [`since ${hold.since.toISOString()}: ${hold.reason}; if it is the live copy, run "bili hold end"`];
  return finding('on_hold', text, details, 'note');
}

/** Compares the migrations of this version with those of the database. */
export async function examineSchema({ db }: Pick<Runtime, 'db'>): Promise<Finding[]> {
  const { missing, unknown, changed, unusable } = await compareSchema(db);
  return [
    finding(
      'schema_current',
      'The database has the tables of this version.',
      unusable === null ? missing.map((name) => `${name} is missing: run "bili migrate"`) : [unusable],
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

/**
 * Only rows older than this are reported. Workers write search entries within seconds, but need longer after an update from a version
 * without entries.
 */
const BEHIND_MS = 5 * MINUTE_MS;
/** Maximum number of rows of each table that are counted. */
const MAX_COUNT = 1_000_000;

const ROWS: Readonly<Record<string, string>> = { bill: 'bills', attempt: 'payment requests', allocation: 'payments' };

/** Checks how far the job that writes search entries is behind. A delay is only a note, because searches for complete values work. */
export async function examineSearch({ db, clock }: Runtime): Promise<Finding> {
  const sources = await countUnindexed(db, { until: lowestId(addMs(clock(), -BEHIND_MS).getTime()), limit: MAX_COUNT + 1 });
  const details = sources.flatMap(({ source, count, since }) => {
    if (since === null) return [];
    const number = count > MAX_COUNT ? `more than ${MAX_COUNT}` : count;
    return [`${ROWS[source]} that are not found by a part of their texts yet: ${number}, the oldest from ${since.toISOString()}`];
  });
  const text =
    details.length > 0 ? 'The search does not contain everything yet. Check that a worker runs.' : 'The search contains everything.';
  return finding('search', text, details, 'note');
}
