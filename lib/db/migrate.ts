import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { SECOND_MS } from '@/lib/core/clock';
import { ADVISORY_LOCKS } from './advisory-locks';
import { postgresError } from './errors';
import { MigrationError, prepareMigrationTable, recordMigration, replaceRecords } from './migration-table';
import { INITIAL_MIGRATION, type Migration, readMigrations } from './migrations';
import { runOnlineStatements } from './online-statements';
import { findUnreleasedMigrations, UNRELEASED_PROBLEM } from './unreleased-migrations';
import { keepSettingsBehindPooler, withSession } from './with-session';

interface MigrateOptions {
  /** Another folder of migrations, for tests. */
  readonly folder?: string;
  /** How long to try again while other sessions hold the locks that a migration needs, milliseconds. */
  readonly patienceMs?: number;
}

const LOCK_POLL_MS = 250;
/** While a migration waits for a table, every other statement on that table waits behind it: not longer than this. */
const LOCK_TIMEOUT_MS = 2_000;
const PATIENCE_MS = 60 * SECOND_MS;
const LOCK_NOT_AVAILABLE = '55P03';
const lockedSchema = z.tuple([z.object({ locked: z.boolean() })]);

/**
 * Applies the migrations that a database does not have yet, each in one transaction together with its row in
 * `_prisma_migrations`; those marked "-- bili: no transaction" statement by statement. One process at a time. In the database of a
 * complete development version, it only records the initial migration in place of the old ones.
 * @returns the names of those recorded. Throws a MigrationError that names the first that could not be applied.
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
    const applied = await prepareMigrationTable(client);
    const unreleased = findUnreleasedMigrations(applied);
    if (unreleased === 'incomplete') throw new MigrationError(UNRELEASED_PROBLEM);
    const done = unreleased === 'complete' ? [] : applied;
    const due = migrations.filter((migration) => !done.some(({ name }) => name === migration.name));
    for (const migration of due) {
      if (unreleased === 'complete' && migration.name === INITIAL_MIGRATION) await replaceRecords(client, migration);
      else await apply(client, migration, Date.now() + patienceMs);
    }
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
    const { rows } = await lock.query(`SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.migrate}) AS locked`);
    if (lockedSchema.parse(rows)[0].locked) return;
    await lock.query('ROLLBACK');
    await delay(LOCK_POLL_MS);
  }
}

async function apply(client: pg.Client, migration: Migration, deadline: number): Promise<void> {
  try {
    if (!migration.inTransaction) {
      // Without a lock_timeout: nothing waits behind a concurrent build, which itself waits for older transactions.
      const start = performance.now();
      await runOnlineStatements(client, migration.sql);
      await recordMigration(client, migration, (performance.now() - start) / SECOND_MS);
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
    await recordMigration(client, migration);
    await client.query('COMMIT');
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    await client.query('ROLLBACK');
    if (again && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}
