import type { Database, Queryable } from '@/lib/db/database';

/** A partition of the log of attempts: what began in one week. */
export interface Partition {
  readonly name: string;
  readonly from: Date;
  readonly to: Date;
}

/** What takes an exclusive lock on the log waits no longer than this for it, and tries again the next time. */
const SHORT_WAIT = { text: "SET LOCAL lock_timeout = '2s'" };
/** One worker changes partitions at a time. Any number will do. */
const PARTITION_LOCK = { text: 'SELECT pg_advisory_xact_lock(5020002)' };

/** @returns the names of the log's partitions, without the default one, oldest first. */
export async function listPartitions(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>({
    text: `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
           WHERE i.inhparent = 'webhook_attempt'::regclass AND c.relname <> 'webhook_attempt_default' ORDER BY c.relname`,
  });
  return rows.map(({ name }) => name);
}

/** Makes a partition if it is missing, and moves into it what the default one has taken in its place meanwhile. */
export async function makePartition(db: Database, { name, from, to }: Partition): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(SHORT_WAIT);
    await tx.query(PARTITION_LOCK);
    if ((await listPartitions(tx)).includes(name)) return;
    // Who writes waits, before choosing a partition: one that had chosen the default one would be refused when this one is there.
    await tx.query({ text: 'LOCK TABLE ONLY webhook_attempt IN SHARE ROW EXCLUSIVE MODE' });
    const [lower, upper] = [from.toISOString(), to.toISOString()];
    await tx.query({ text: `CREATE TABLE ${name} (LIKE webhook_attempt INCLUDING DEFAULTS INCLUDING INDEXES)` });
    await tx.query(
      {
        text: `WITH moved AS (DELETE FROM webhook_attempt_default WHERE started_at >= $1 AND started_at < $2 RETURNING *) INSERT INTO ${name} SELECT * FROM moved`,
      },
      [from, to],
    );
    await tx.query({ text: `ALTER TABLE webhook_attempt ATTACH PARTITION ${name} FOR VALUES FROM ('${lower}') TO ('${upper}')` });
  });
}

/** Drops a partition with everything in it. */
export async function dropPartition(db: Database, name: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(SHORT_WAIT);
    await tx.query(PARTITION_LOCK);
    if ((await listPartitions(tx)).includes(name)) await tx.query({ text: `DROP TABLE ${name}` });
  });
}

/** Deletes what the default partition has of attempts that began before. */
export async function deleteStrayAttempts(db: Queryable, before: Date): Promise<void> {
  await db.query({ text: 'DELETE FROM webhook_attempt_default WHERE started_at < $1' }, [before]);
}
