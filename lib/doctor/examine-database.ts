import { withSession } from '@/lib/db/with-session';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Finding, finding } from './finding';
import { readServerFacts, type ServerFacts } from './store';

/** Checks that the server accepts writes, that commits are durable, and that sessions have their settings. */
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

/** Values of synchronous_commit with which a commit does not wait until a standby has it on disk. */
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
