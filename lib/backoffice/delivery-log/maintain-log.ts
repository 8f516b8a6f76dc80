import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { ADVISORY_LOCKS } from '@/lib/platform/db/advisory-locks';
import type { Database, Queryable } from '@/lib/platform/db/database';
import { postgresError } from '@/lib/platform/db/errors';
import { nothing, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Runtime } from '@/lib/platform/runtime/runtime';

type Needs = Pick<Runtime, 'db' | 'clock' | 'settings' | 'log'>;
/** The error code of PostgreSQL when a statement waits longer than `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Creates the partitions of the log of delivery attempts for the next weeks, and drops those older than WEBHOOK_LOG_DAYS. This needs a lock
 * on the log, which is not available while somebody reads the whole log, as a backup does for hours. Then the job soon gives up and logs a
 * warning, because all writers of the log wait as long as the job waits for the lock. A later run is early enough, because partitions are
 * created weeks ahead.
 */
export async function maintainLog(runtime: Needs): Promise<void> {
  try {
    await changePartitions(runtime);
  } catch (error) {
    if (postgresError(error)?.code !== LOCK_NOT_AVAILABLE) throw error;
    runtime.log.warn('the partitions of the webhook log are locked, probably by a backup; they are maintained in the next run');
  }
}

async function changePartitions({ db, clock, settings }: Needs): Promise<void> {
  const now = clock();
  const days = settings.WEBHOOK_LOG_DAYS;
  const existing = await listPartitions(db);
  for (const partition of neededPartitions(now)) {
    const { name } = partition;
    if (!existing.includes(name) && expiredPartitions([name], now, days).length === 0) await createPartition(db, partition);
  }
  for (const name of expiredPartitions(existing, now, days)) await dropPartition(db, name);
  await deleteStrayAttempts(db, addMs(now, -days * DAY_MS));
}

const WEEK_MS = 7 * DAY_MS;
/** The first Monday after the start of Unix time, 5 January 1970. Partitions begin on Mondays, UTC. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
/** Partitions are created this many weeks ahead, so that the log works even if no worker runs for that long. */
const WEEKS_AHEAD = 4;
const NAME = /^webhook_attempt_(\d{4})_(\d\d)_(\d\d)$/;

/** Returns the partitions that must exist: last week's (for attempts that are still running), this week's and the next weeks'. */
export function neededPartitions(now: Date): Partition[] {
  const monday = Math.floor((now.getTime() - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
  return Array.from({ length: WEEKS_AHEAD + 2 }, (_, week) => partitionFrom(new Date(monday + (week - 1) * WEEK_MS)));
}

function partitionFrom(from: Date): Partition {
  return { name: `webhook_attempt_${from.toISOString().slice(0, 10).replaceAll('-', '_')}`, from, to: addMs(from, WEEK_MS) };
}

/** Returns the partitions that contain only delivery attempts older than `days`. Ignores names that are not partitions of the log. */
export function expiredPartitions(names: readonly string[], now: Date, days: number): string[] {
  const oldest = addMs(now, -days * DAY_MS);
  return names.filter((name) => {
    const [, year, month, day] = NAME.exec(name) ?? [];
    return year !== undefined && addMs(new Date(`${year}-${month}-${day}T00:00:00Z`), WEEK_MS) <= oldest;
  });
}

/** A partition of the log: the attempts that started in one week. */
interface Partition {
  readonly name: string;
  readonly from: Date;
  readonly to: Date;
}

/** Limits the wait for an exclusive lock on the log, because all writers queue behind it. */
const SHORT_WAIT = statement({
  name: 'limit the wait for locks',
  text: "SET LOCAL lock_timeout = '2s'",
});
const LOCK_PARTITIONS = statement({
  name: 'lock the partitions',
  text: `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.partitions}) AS locked`,
  columns: { locked: nothing },
});
const LIST_PARTITIONS = statement({
  name: 'list the partitions',
  text: `SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'webhook_attempt'::regclass AND c.relname <> 'webhook_attempt_default' ORDER BY c.relname`,
  columns: { name: text },
});
/** The role of the worker may not change tables. The functions, which belong to the owner of the tables, do it. */
const ADD_PARTITION = statement({
  name: 'add a partition',
  text: 'SELECT add_webhook_attempt_partition($name, $from, $to) AS added',
  parameters: { name: text, from: timestamptz, to: timestamptz },
  columns: { added: nothing },
});
const DROP_PARTITION = statement({
  name: 'drop a partition',
  text: 'SELECT drop_webhook_attempt_partition($name) AS dropped',
  parameters: { name: text },
  columns: { dropped: nothing },
});

/** Returns the names of the log's partitions, without the default one, oldest first. */
export async function listPartitions(db: Queryable): Promise<string[]> {
  const rows = await LIST_PARTITIONS.rows(db, {});
  return rows.map(({ name }) => name);
}

/** Creates a partition if it is missing, and moves its attempts from the default partition into it. */
async function createPartition(db: Database, partition: Partition): Promise<void> {
  await db.sqlTransaction(async (tx) => {
    await SHORT_WAIT.rows(tx, {});
    await LOCK_PARTITIONS.rows(tx, {});
    if ((await listPartitions(tx)).includes(partition.name)) return;
    await ADD_PARTITION.rows(tx, partition);
  });
}

/** Drops a partition and its attempts. Does nothing if it does not exist. */
async function dropPartition(db: Database, name: string): Promise<void> {
  await db.sqlTransaction(async (tx) => {
    await SHORT_WAIT.rows(tx, {});
    await LOCK_PARTITIONS.rows(tx, {});
    if ((await listPartitions(tx)).includes(name)) await DROP_PARTITION.rows(tx, { name });
  });
}

const DELETE_STRAY = statement({
  name: 'delete stray attempts',
  text: 'DELETE FROM webhook_attempt_default WHERE started_at < $before',
  parameters: { before: timestamptz },
});

/** Deletes the attempts in the default partition that started before a time. */
async function deleteStrayAttempts(db: Queryable, before: Date): Promise<void> {
  await DELETE_STRAY.rows(db, { before });
}
