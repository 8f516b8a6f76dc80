import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { ADVISORY_LOCKS } from './advisory-locks';
import { postgresError } from './errors';
import { MigrationError, MOVE_PROBLEM, MOVE_RECORD, prepareMigrationTable, recordMigration, replaceRecords } from './migration-table';
import { INITIAL_MIGRATION, type Migration, readMigrations } from './migrations';
import { findUnreleasedMigrations, UNRELEASED_PROBLEM } from './unreleased-migrations';
import { storeSessionSettings, withSession } from './with-session';

interface MigrateOptions {
  /** The database for the role of web and worker, which gets the rights that it needs. Absent if that role owns the tables. */
  readonly applicationUrl?: string;
  /** Another folder of migrations, for tests. */
  readonly folder?: string;
  /** How long to retry while other sessions hold the locks that a migration needs, milliseconds. */
  readonly patienceMs?: number;
  /** Whether a database is accepted that a move has not filled yet. Only the move itself sets this. */
  readonly moving?: boolean;
}

const LOCK_POLL_MS = 250;
/** How long a migration waits for a lock, milliseconds. Meanwhile all other statements on the table wait, too. */
const LOCK_TIMEOUT_MS = 2_000;
const PATIENCE_MS = 60 * SECOND_MS;
const LOCK_NOT_AVAILABLE = '55P03';
const ADVICE: Readonly<Record<string, string>> = {
  [LOCK_NOT_AVAILABLE]: '; a long transaction holds a lock on a table, see pg_stat_activity',
  // insufficient_privilege
  '42501': '; MIGRATE_DATABASE_URL must have the role that owns the tables',
};
const lockedSchema = z.tuple([z.object({ locked: z.boolean() })]);

/**
 * Applies the migrations that a database does not have yet. Each runs in one transaction, together with its row in
 * `_prisma_migrations`. Migrations marked "-- bili: no transaction" run statement by statement. Only one process migrates at a time.
 * If the database has all migrations of the development versions, one record of the initial migration replaces their records.
 * @param url the database for the role that owns the tables.
 * @returns the names of the recorded migrations. Throws a MigrationError if a migration could not be applied.
 */
export async function migrate(
  url: string,
  { applicationUrl, folder, patienceMs = PATIENCE_MS, moving = false }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = await readMigrations(folder);
  const { hostUrl, pooled } = await withSession(url, 'writes', async (session, writable) => ({
    hostUrl: writable,
    pooled: session.pooled,
  }));
  const [lock, client] = [newClient(hostUrl), newClient(hostUrl)];
  try {
    await acquireLock(lock);
    await client.connect();
    // Behind a pooler, these settings would affect other sessions that use the same server connection.
    if (!pooled) await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
    const applied = await prepareMigrationTable(client);
    if (!moving && applied.some(({ name }) => name === MOVE_RECORD)) throw new MigrationError(MOVE_PROBLEM);
    const unreleased = findUnreleasedMigrations(applied);
    if (unreleased === 'incomplete') throw new MigrationError(UNRELEASED_PROBLEM);
    const done = unreleased === 'complete' ? [] : applied;
    const pending = migrations.filter((migration) => !done.some(({ name }) => name === migration.name));
    for (const migration of pending) {
      const recordsOnly = unreleased === 'complete' && migration.name === INITIAL_MIGRATION;
      await apply(client, migration, { recordsOnly, deadline: Date.now() + patienceMs });
    }
    if (applicationUrl !== undefined) await prepareApplicationRole(client, applicationUrl);
    if (pooled) await storeSessionSettings(hostUrl);
    return pending.map(({ name }) => name);
  } finally {
    await Promise.all([client.end(), lock.end()]);
  }
}

function newClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, application_name: 'bili-cli' });
  // Without a handler of this event, Node would end the process. The handler does nothing, because the current statement fails anyway.
  return client.on('error', () => undefined);
}

/**
 * Waits until no other process migrates. The lock belongs to an open transaction on a connection of its own, because behind a
 * pooler a session lock would be lost or never released. This process polls the lock instead of waiting for it in a statement,
 * because a waiting statement keeps a snapshot. The process that migrates could not finish a concurrent index build then, because
 * such a build waits for every older snapshot.
 */
async function acquireLock(lock: pg.Client): Promise<void> {
  await lock.connect();
  for (;;) {
    await lock.query('BEGIN');
    await lock.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    // The statement has no parameters, because PostgreSQL keeps the snapshot of a statement with parameters until the transaction ends.
    const { rows } = await lock.query(`SELECT pg_try_advisory_xact_lock(${ADVISORY_LOCKS.migrate}) AS locked`);
    if (lockedSchema.parse(rows)[0].locked) return;
    await lock.query('ROLLBACK');
    await delay(LOCK_POLL_MS);
  }
}

/**
 * Gives the role of web and worker its rights: it may read and change rows, but not tables, triggers and the records of migrations. Tables
 * that the owner creates later have the same rights.
 */
async function prepareApplicationRole(client: pg.Client, applicationUrl: string): Promise<void> {
  const { role, pooled } = await withSession(applicationUrl, 'writes', async (session) => ({
    role: roleSchema.parse((await session.query('SELECT current_user AS role')).rows)[0].role,
    pooled: session.pooled,
  }));
  const owner = roleSchema.parse((await client.query('SELECT current_user AS role')).rows)[0].role;
  if (role !== owner) await client.query(GRANTS.replaceAll('$role', client.escapeIdentifier(role)));
  if (pooled) await storeSessionSettings(applicationUrl);
}

const roleSchema = z.tuple([z.object({ role: z.string() })]);

/** Tables and functions of extensions can be in the same schema. They belong to other roles, so they are left out. */
const GRANTS = `
  BEGIN;
  DO $do$
  DECLARE
    name text;
  BEGIN
    FOR name IN SELECT oid::regclass FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND pg_has_role(relowner, 'USAGE') AND relname <> '_prisma_migrations'
    LOOP
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %s', name, $name$$role$name$);
    END LOOP;
    FOR name IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND pg_has_role(proowner, 'USAGE')
    LOOP
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', name, $name$$role$name$);
    END LOOP;
  END $do$;
  GRANT SELECT ON _prisma_migrations TO $role;
  ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO $role;
  COMMIT`;

interface ApplyOptions {
  /** Whether the tables of the migration exist already, and only its record is missing. */
  readonly recordsOnly: boolean;
  readonly deadline: number;
}

async function apply(client: pg.Client, migration: Migration, { recordsOnly, deadline }: ApplyOptions): Promise<void> {
  try {
    if (recordsOnly) {
      await replaceRecords(client, migration);
    } else if (!migration.inTransaction) {
      // No lock_timeout is necessary. A concurrent index build can wait for older transactions, but no other statement waits for the build.
      const start = performance.now();
      await runOnlineStatements(client, migration.sql);
      await recordMigration(client, migration, (performance.now() - start) / SECOND_MS);
    } else {
      while (!(await applyInTransaction(client, migration, Date.now() < deadline))) await delay(LOCK_POLL_MS);
    }
  } catch (error) {
    const { code } = postgresError(error) ?? {};
    const reason = error instanceof Error ? error.message : String(error);
    const advice = ADVICE[code ?? ''] ?? '';
    throw new MigrationError(
      `The migration ${migration.name} could not be applied: ${reason}${advice}. Solve the problem and run the migration again.`,
      {
        cause: error,
      },
    );
  }
}

/** Applies a migration. @returns false, without any change, if a lock was not free in time and `mayRetry` is true. */
async function applyInTransaction(client: pg.Client, migration: Migration, mayRetry: boolean): Promise<boolean> {
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
    if (mayRetry && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

const CREATE = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS "(\w+)" ON /;
const DROP = /^DROP INDEX CONCURRENTLY IF EXISTS "(\w+)"$/;

/**
 * Splits a migration that runs outside a transaction. Each statement must be safe to repeat, because a killed process may have run only
 * some of them. So only two kinds of statements are allowed: CREATE INDEX CONCURRENTLY IF NOT EXISTS and DROP INDEX CONCURRENTLY IF EXISTS.
 * @returns the statements, with the index that each creates or drops. Throws for any other statement.
 */
export function onlineStatements(sql: string): { readonly text: string; readonly index: string; readonly creates: boolean }[] {
  const bare = sql.replace(/^\s*--.*$/gm, '');
  const statements = bare.split(/;\s*$/m).map((text) => text.replace(/\s+/g, ' ').trim());
  return statements
    .filter((text) => text !== '')
    .map((text) => {
      const created = CREATE.exec(text)?.[1];
      const index = created ?? DROP.exec(text)?.[1];
      if (index === undefined) {
        throw new Error(
          `a migration without a transaction may only CREATE INDEX CONCURRENTLY IF NOT EXISTS "name" and DROP INDEX CONCURRENTLY IF EXISTS "name", but has: ${text}`,
        );
      }
      return { text, index, creates: created !== undefined };
    });
}

/** Runs the statements one by one. If a failed build left an INVALID index, drops it first, because IF NOT EXISTS would keep it. */
async function runOnlineStatements(client: pg.Client, sql: string): Promise<void> {
  for (const { text, index, creates } of onlineStatements(sql)) {
    if (creates && (await isInvalid(client, index))) await client.query(`DROP INDEX CONCURRENTLY "${index}"`);
    await client.query(text);
  }
}

async function isInvalid(client: pg.Client, index: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relname = $1 AND c.relnamespace = current_schema()::regnamespace AND NOT i.indisvalid`,
    [index],
  );
  return rowCount !== 0;
}
