import { ADVISORY_LOCKS } from '@/lib/db/advisory-locks';
import type { Database, Queryable } from '@/lib/db/database';
import { nothing, text, timestamptz } from '@/lib/db/sql-types';
import { registerVariants, statement, variant } from '@/lib/db/statement';

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
const LOCK_LOG = statement({
  name: 'lock the log of attempts',
  text: 'LOCK TABLE ONLY webhook_attempt IN SHARE ROW EXCLUSIVE MODE',
  parameters: {},
  columns: {},
});

/** Statements that contain the name of a partition, because a table name cannot be a parameter. */
const create = (partition: string) =>
  variant({
    name: 'create a partition',
    text: `CREATE TABLE ${partition} (LIKE webhook_attempt INCLUDING DEFAULTS INCLUDING INDEXES)`,
    parameters: {},
    columns: {},
  });
const fill = (partition: string) =>
  variant({
    name: 'move attempts into a partition',
    text: `WITH moved AS (DELETE FROM webhook_attempt_default WHERE started_at >= $from AND started_at < $to RETURNING *)
           INSERT INTO ${partition} SELECT * FROM moved`,
    parameters: { from: timestamptz, to: timestamptz },
    columns: {},
  });
const attach = ({ name, from, to }: Partition) =>
  variant({
    name: 'attach a partition',
    text: `ALTER TABLE webhook_attempt ATTACH PARTITION ${name} FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
    parameters: {},
    columns: {},
  });
const drop = (partition: string) => variant({ name: 'drop a partition', text: `DROP TABLE ${partition}`, parameters: {}, columns: {} });
registerVariants([
  create('webhook_attempt_1970_01_05'),
  // The test of declared statements needs a table that exists. The default partition is the only one that always exists.
  fill('webhook_attempt_default'),
  attach({ name: 'webhook_attempt_1970_01_05', from: new Date(0), to: new Date(1) }),
  drop('webhook_attempt_1970_01_05'),
]);

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
    // Blocks writers before they choose a partition. A writer that has already chosen the default partition would fail after the new
    // partition is attached.
    await LOCK_LOG.rows(tx, {});
    await create(partition.name).rows(tx, {});
    await fill(partition.name).rows(tx, partition);
    await attach(partition).rows(tx, {});
  });
}

/** Drops a partition and its attempts. Does nothing if it does not exist. */
export async function dropPartition(db: Database, name: string): Promise<void> {
  await db.sqlTransaction(async (tx) => {
    await SHORT_WAIT.rows(tx, {});
    await LOCK_PARTITIONS.rows(tx, {});
    if ((await listPartitions(tx)).includes(name)) await drop(name).rows(tx, {});
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
