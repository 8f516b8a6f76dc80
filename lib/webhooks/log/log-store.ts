import { ADVISORY_LOCKS } from '@/lib/db/advisory-locks';
import type { Database, Queryable } from '@/lib/db/database';
import { nothing, text, timestamptz } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** A partition of the log: the attempts that started in one week. */
export interface Partition {
  readonly name: string;
  readonly from: Date;
  readonly to: Date;
}

/** Limits the wait for an exclusive lock on the log, because all writers queue behind it. */
const SHORT_WAIT = statement({
  name: 'limit the wait for locks',
  text: "SET LOCAL lock_timeout = '2s'",
  parameters: {},
  columns: {},
});
const LOCK_PARTITIONS = statement({
  name: 'lock the partitions',
  text: `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.partitions}) AS locked`,
  parameters: {},
  columns: { locked: nothing },
});
const LIST = statement({
  name: 'list the partitions',
  text: `SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'webhook_attempt'::regclass AND c.relname <> 'webhook_attempt_default' ORDER BY c.relname`,
  parameters: {},
  columns: { name: text },
});
/** The role of the worker may not change tables. The functions, which belong to the owner of the tables, do it. */
const ADD = statement({
  name: 'add a partition',
  text: 'SELECT add_webhook_attempt_partition($name, $from, $to) AS added',
  parameters: { name: text, from: timestamptz, to: timestamptz },
  columns: { added: nothing },
});
const DROP = statement({
  name: 'drop a partition',
  text: 'SELECT drop_webhook_attempt_partition($name) AS dropped',
  parameters: { name: text },
  columns: { dropped: nothing },
});

/** Returns the names of the log's partitions, without the default one, oldest first. */
export async function listPartitions(db: Queryable): Promise<string[]> {
  const rows = await LIST.rows(db, {});
  return rows.map(({ name }) => name);
}

/** Creates a partition if it is missing, and moves its attempts from the default partition into it. */
export async function createPartition(db: Database, partition: Partition): Promise<void> {
  await db.sqlTransaction(async (tx) => {
    await SHORT_WAIT.rows(tx, {});
    await LOCK_PARTITIONS.rows(tx, {});
    if ((await listPartitions(tx)).includes(partition.name)) return;
    await ADD.rows(tx, partition);
  });
}

/** Drops a partition and its attempts. Does nothing if it does not exist. */
export async function dropPartition(db: Database, name: string): Promise<void> {
  await db.sqlTransaction(async (tx) => {
    await SHORT_WAIT.rows(tx, {});
    await LOCK_PARTITIONS.rows(tx, {});
    if ((await listPartitions(tx)).includes(name)) await DROP.rows(tx, { name });
  });
}

const DELETE_STRAY = statement({
  name: 'delete stray attempts',
  text: 'DELETE FROM webhook_attempt_default WHERE started_at < $before',
  parameters: { before: timestamptz },
  columns: {},
});

/** Deletes the attempts in the default partition that started before a time. */
export async function deleteStrayAttempts(db: Queryable, before: Date): Promise<void> {
  await DELETE_STRAY.rows(db, { before });
}
