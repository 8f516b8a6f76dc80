import type pg from 'pg';
import { z } from 'zod';
import { ExpectedError } from '@/lib/platform/config/expected-error';
import { type AppliedMigration, appliedSchema, type Migration } from './migrations';

const tablesSchema = z.array(z.object({ name: z.string() }));

/** A migration could not be applied. The message is a full sentence for the operator. */
export class MigrationError extends ExpectedError {
  override readonly name = 'MigrationError';
}

// The same table that Prisma creates, so that its command line can read it.
const CREATE_TABLE = `CREATE TABLE _prisma_migrations (
  id varchar(36) PRIMARY KEY NOT NULL, checksum varchar(64) NOT NULL, finished_at timestamptz, migration_name varchar(255) NOT NULL,
  logs text, rolled_back_at timestamptz, started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;

/** Selects the applied migrations. Ignores unfinished rows. Prisma's own engine leaves such a row if it is killed. */
export const SELECT_APPLIED = `SELECT migration_name AS name, checksum FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`;

/**
 * The record that the target of a move has until all data is there and checked. Programs refuse a database with this record. Its name sorts
 * before all migrations.
 */
export const MOVE_RECORD = '00000000000000_move_not_complete';

export const MOVE_PROBLEM =
  'This database is the target of a move that did not finish, so it does not have all data. Run the same "bili database" command again, ' +
  'or drop this database. The source of the move is complete.';

/** Returns the applied migrations. Creates their table in an empty database. Throws if the database has tables of other programs. */
export async function prepareMigrationTable(client: pg.Client): Promise<AppliedMigration[]> {
  const found = await client.query('SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()');
  const tables = tablesSchema.parse(found.rows);
  if (!tables.some(({ name }) => name === '_prisma_migrations')) {
    if (tables.length > 0)
      throw new MigrationError(`The database has tables that are not Bili's, for example ${tables[0]?.name}: use an empty one.`);
    await client.query(CREATE_TABLE);
  }
  return appliedSchema.parse((await client.query(SELECT_APPLIED)).rows);
}

/**
 * Records a migration that has just been applied, in Prisma's format.
 * @param seconds the duration of the migration. Leave it at 0 in the transaction of the migration: now() is the start time there.
 */
export async function recordMigration(client: pg.Client, { name, checksum }: AppliedMigration, seconds = 0): Promise<void> {
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL',
    [name],
  );
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES (gen_random_uuid(), $1, $2, now() - make_interval(secs => $3), clock_timestamp(), 1)`,
    [checksum, name, seconds],
  );
}

/** Replaces all records by the record of one migration. The database must already have the tables that this migration creates. */
export async function replaceRecords(client: pg.Client, migration: Migration): Promise<void> {
  // After an error the caller closes the connection, which rolls back the transaction.
  await client.query('BEGIN; DELETE FROM _prisma_migrations');
  await recordMigration(client, migration);
  await client.query('COMMIT');
}
