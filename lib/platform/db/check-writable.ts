import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { type Database, openDatabase, type Queryable } from './database';
import { DatabaseUnavailable, sentenceOf } from './errors';
import { boolean, int4, text } from './sql-types';
import { statement } from './statement';
import { WATCH_LIMITS } from './watch-sessions';

/** Why a process cannot do its work, by what is wrong. Each reason is a sentence without a full stop. Empty if all is well. */
export type Health = Map<'commits' | 'clock', string>;

const READ_STATE = statement({
  name: 'read whether the server is read-only',
  text: `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS "readOnly"`,
  columns: { readOnly: boolean },
});

/** Throws DatabaseUnavailable if the database server cannot be reached, or has become read-only since the connection was opened. */
export async function checkWritable(db: Queryable): Promise<void> {
  const state = await READ_STATE.first(db, {});
  if (state?.readOnly) throw new DatabaseUnavailable(new Error('the server is read-only or in recovery'));
}

/** How long a commit of the probe may take, milliseconds. */
export const COMMIT_LIMIT_MS = 2 * SECOND_MS;

const USE_LITTLE_MEMORY = statement({
  name: 'use little memory in this transaction',
  text: "SELECT set_config('work_mem', '64kB', true) AS memory",
  columns: { memory: text },
});

/**
 * These rows do not fit into the memory of the transaction, so PostgreSQL writes about 1 MB to a temporary file. That fails on a full disk.
 * A write to a table would often succeed there, because the table and the WAL have space that is already allocated.
 */
const WRITE_TEMPORARY_FILE = statement({
  name: 'write a temporary file',
  text: 'SELECT count(*)::int AS rows FROM generate_series(1, 40000)',
  columns: { rows: int4 },
});

/** Commits `write` in a transaction that also fails if the disk of the database is full. The commit waits for synchronous standbys. */
export async function commitProbe(db: Database, write: (tx: Queryable) => Promise<unknown>): Promise<void> {
  await db.sqlTransaction(async (tx) => {
    await USE_LITTLE_MEMORY.rows(tx, {});
    await WRITE_TEMPORARY_FILE.rows(tx, {});
    await write(tx);
  });
}

const READ_STUCK_COMMITS = statement({
  name: 'read commits that wait for a standby',
  text: `SELECT current_setting('synchronous_standby_names') AS names, (SELECT count(*)::int FROM pg_stat_replication) AS standbys,
           (SELECT count(*)::int FROM pg_stat_activity
            WHERE wait_event = 'SyncRep' AND clock_timestamp() - state_change > interval '2 seconds') AS waiting`,
  columns: { names: text, standbys: int4, waiting: int4 },
});

/** Returns why commits do not end, if they wait for a synchronous standby. Returns null if none of our sessions waits for one. */
async function findStuckCommits(db: Queryable): Promise<string | null> {
  const found = await READ_STUCK_COMMITS.first(db, {});
  if (!found || found.waiting === 0) return null;
  return `commits wait for a synchronous standby: synchronous_standby_names is "${found.names}", connected standbys: ${found.standbys}, waiting sessions: ${found.waiting}. Start the standby, or remove it from synchronous_standby_names`;
}

/** Opens a connection of its own to find out why commits do not end, because those of the pool may all wait. @returns null if it is unknown. */
export async function explainStuckCommits(url: string): Promise<string | null> {
  const db = openAlone(url);
  try {
    return await findStuckCommits(db);
  } catch {
    // The server accepts no other connection, or does not answer.
    return null;
  } finally {
    await db.close();
  }
}

const EMIT_MESSAGE = statement({
  name: 'emit a message into the WAL',
  text: "SELECT pg_logical_emit_message(true, 'bili', 'doctor')::text AS position",
  columns: { position: text },
});

/** Returns why the server does not commit writes; null if it does. Writes to the WAL only, so no data changes. */
export async function findCommitProblem(url: string): Promise<string | null> {
  const db = openAlone(url);
  try {
    // If commits wait already, there is no further one, because its session would stay in the server.
    const stuck = await findStuckCommits(db);
    if (stuck !== null) return stuck;
    await commitProbe(db, (tx) => EMIT_MESSAGE.rows(tx, {}));
    return null;
  } catch (error) {
    return (await explainStuckCommits(url)) ?? sentenceOf(error);
  } finally {
    await db.close();
  }
}

/** Opens one connection whose statements fail after {@link COMMIT_LIMIT_MS}. */
function openAlone(url: string): Database {
  return openDatabase({
    url,
    poolSize: 1,
    applicationName: 'bili probe',
    need: 'answers',
    onError: () => undefined,
    connectMs: COMMIT_LIMIT_MS,
    limits: { ...WATCH_LIMITS, everyMs: 200, answerMs: COMMIT_LIMIT_MS },
  });
}

/** Waits for a promise at most for the time limit. Returns `late` afterwards. */
export async function within<Value>(limitMs: number, promise: Promise<Value>): Promise<Value | 'late'> {
  const ended = new AbortController();
  const late = delay(limitMs, 'late' as const, { signal: ended.signal }).catch(() => 'late' as const);
  return Promise.race([promise, late]).finally(() => ended.abort());
}
