import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { SECOND_MS } from '@/lib/core/clock';
import { postgresError } from './errors';
import { type Migration, readMigrations } from './migrations';
import { runOnlineStatements } from './online-statements';
import { keepSettingsBehindPooler, withSession } from './with-session';

/** A migration that could not be applied: said in a sentence. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

interface MigrateOptions {
  /** Another folder of migrations, for tests. */
  readonly folder?: string;
  /** How long to try again while other sessions hold the locks that a migration needs, milliseconds. */
  readonly patienceMs?: number;
}

/** Prisma's own key, so that its command line and we wait for each other. */
const ADVISORY_KEY = 72_707_369;
const LOCK_POLL_MS = 250;
/** While a migration waits for a table, every other statement on that table waits behind it: not longer than this. */
const LOCK_TIMEOUT_MS = 2_000;
const PATIENCE_MS = 60 * SECOND_MS;
const LOCK_NOT_AVAILABLE = '55P03';

// As Prisma makes it, so that its command line can read it.
const MIGRATION_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY NOT NULL, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;

/**
 * Applies the migrations that a database does not have yet, each in one transaction together with its row in
 * `_prisma_migrations`; those marked "-- bili: no transaction" statement by statement. One process at a time.
 * @returns the names of those applied. Throws a MigrationError that names the first that could not be applied.
 */
export async function migrate(url: string, { folder, patienceMs = PATIENCE_MS }: MigrateOptions = {}): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const { hostUrl, pooled } = await withSession(url, 'writes', async (session, writable) => ({
    hostUrl: writable,
    pooled: session.pooled,
  }));
  const [lock, client] = [newClient(hostUrl), newClient(hostUrl)];
  try {
    await takeTurn(lock);
    await client.connect();
    // Behind a pooler, the settings would stay with a server connection that others use.
    if (!pooled) await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
    const done = await readDone(client);
    const due = migrations.filter(({ name }) => !done.has(name));
    for (const migration of due) await apply(client, migration, Date.now() + patienceMs);
    if (pooled) await keepSettingsBehindPooler(hostUrl);
    return due.map(({ name }) => name);
  } finally {
    await Promise.all([client.end(), lock.end()]);
  }
}

function newClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, application_name: 'bili-cli' });
  // The statement under way fails with the same error.
  return client.on('error', () => undefined);
}

/**
 * Waits until no other process migrates. The lock belongs to an open transaction of its own connection: behind a pooler, the
 * lock of a session would be lost or kept for ever. It is polled, because a statement that waits holds a snapshot, and a
 * concurrent index build waits for every older snapshot.
 */
async function takeTurn(lock: pg.Client): Promise<void> {
  await lock.connect();
  for (;;) {
    await lock.query('BEGIN');
    await lock.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    // Without parameters: the portal of a statement with parameters keeps its snapshot while the transaction is open.
    const { rows } = await lock.query<{ locked: boolean }>(`SELECT pg_try_advisory_xact_lock(${ADVISORY_KEY}) AS locked`);
    if (rows[0]?.locked) return;
    await lock.query('ROLLBACK');
    await delay(LOCK_POLL_MS);
  }
}

async function readDone(client: pg.Client): Promise<Set<string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  );
  if (!tables.some(({ name }) => name === '_prisma_migrations')) {
    if (tables.length > 0)
      throw new MigrationError(`The database has tables that are not Bili's, for example ${tables[0]?.name}: use an empty one.`);
    await client.query(MIGRATION_TABLE);
  }
  const { rows } = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  return new Set(rows.map(({ name }) => name));
}

async function apply(client: pg.Client, migration: Migration, deadline: number): Promise<void> {
  try {
    if (!migration.inTransaction) {
      // Without a lock_timeout: nothing waits behind a concurrent build, which itself waits for older transactions.
      await runOnlineStatements(client, migration.sql);
      await record(client, migration);
    } else {
      while (!(await applyInTransaction(client, migration, Date.now() < deadline))) await delay(LOCK_POLL_MS);
    }
  } catch (error) {
    const { code } = postgresError(error) ?? {};
    const reason = error instanceof Error ? error.message : String(error);
    const advice = code === LOCK_NOT_AVAILABLE ? '; a long transaction holds a table, see pg_stat_activity' : '';
    throw new MigrationError(
      `The migration ${migration.name} could not be applied: ${reason}${advice}. Run it again once that is put right.`,
      {
        cause: error,
      },
    );
  }
}

/** @returns false when a lock was not free in time and `again` allows another try; nothing has been changed then. */
async function applyInTransaction(client: pg.Client, migration: Migration, again: boolean): Promise<boolean> {
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL timezone = UTC; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(migration.sql);
    await record(client, migration);
    await client.query('COMMIT');
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    await client.query('ROLLBACK');
    if (again && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

/** An unfinished row is one that an earlier version of this command left when it was killed. */
async function record(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL',
    [name],
  );
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES (gen_random_uuid(), $1, $2, now(), clock_timestamp(), 1)`,
    [checksum, name],
  );
}
