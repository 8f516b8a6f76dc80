import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { z } from 'zod';
import { migrate } from './migrate';
import { MigrationError, MOVE_RECORD, prepareMigrationTable, recordMigration } from './migration-table';
import { withSession } from './with-session';

interface MoveOptions {
  /** The database with the data, for the role that owns the tables. It has all migrations of this program, and nobody writes to it. */
  readonly sourceUrl: string;
  /** An empty database, or the target of an interrupted move, for the role that will own the tables. */
  readonly targetUrl: string;
  /** Checks the target before it is complete. If it throws, the target stays incomplete. */
  readonly check: () => Promise<void>;
  readonly onTable?: (table: MovedTable) => unknown;
}

export interface MovedTable {
  readonly table: string;
  readonly rows: number;
}

interface Table {
  readonly name: string;
  /** The columns that have values of their own, as a list for SQL. */
  readonly columns: string;
}

/** The same text for the same value in both servers, whatever their settings and versions are. Nothing has a time limit. */
const SETTINGS = `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8';
  SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`;

const TABLES = `SELECT quote_ident(c.relname) AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '_prisma_migrations'
    AND pg_has_role(c.relowner, 'USAGE')
  GROUP BY c.relname ORDER BY c.relname`;

/** One level of partitions, which is what the schema has. */
const PARTITIONS = `SELECT quote_ident(c.relname) AS name, quote_ident(p.relname) AS parent, pg_get_expr(c.relpartbound, c.oid) AS bound
  FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid JOIN pg_class p ON p.oid = i.inhparent
  WHERE c.relnamespace = 'public'::regnamespace AND c.relispartition AND c.relkind = 'r'`;

const FOREIGN_KEYS = `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype = 'f' AND conparentid = 0`;

const tablesSchema = z.array(z.object({ name: z.string(), columns: z.string() }));
const partitionsSchema = z.array(z.object({ name: z.string(), parent: z.string(), bound: z.string() }));
const foreignKeysSchema = z.array(z.object({ table: z.string(), name: z.string(), definition: z.string() }));
const sumSchema = z.tuple([z.object({ rows: z.coerce.number(), digest: z.string() })]);

/**
 * Copies all data of a database into an empty one, which gets the same tables first. The rows are written in one transaction, and before
 * it commits, the number and the digest of the rows of each table must be the same in both databases. Until everything is there and
 * checked, programs refuse the target. An interrupted move can be repeated with the same target. The source is not changed.
 * @returns the tables with their number of rows. Throws a MigrationError if the target is not empty or cannot be used.
 */
export async function moveDatabase({ sourceUrl, targetUrl, check, onTable }: MoveOptions): Promise<readonly MovedTable[]> {
  const hostUrl = await withSession(targetUrl, 'writes', async (_session, writable) => writable);
  await withClient(hostUrl, markIncomplete);
  await migrate(targetUrl, { moving: true });
  const moved = await withClient(sourceUrl, (from) => withClient(hostUrl, (to) => copyRows(from, to, onTable)));
  await check();
  await withClient(hostUrl, (client) => client.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [MOVE_RECORD]));
  return moved;
}

async function withClient<Value>(url: string, work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, application_name: 'bili-cli' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Records in an empty database that it is the target of a move. Throws a MigrationError if the database has data of its own. */
async function markIncomplete(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SHOW server_encoding');
  if (rows[0]?.server_encoding !== 'UTF8') throw new MigrationError('The target database does not have the encoding UTF8: create it anew.');
  const applied = await prepareMigrationTable(client);
  if (applied.some(({ name }) => name === MOVE_RECORD)) return;
  if (applied.length > 0) throw new MigrationError('The target database is not empty: it is the database of a Bili. Create an empty one.');
  await recordMigration(client, { name: MOVE_RECORD, checksum: '' });
}

async function copyRows(from: pg.Client, to: pg.Client, onTable: MoveOptions['onTable']): Promise<MovedTable[]> {
  await from.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${SETTINGS}`);
  await to.query(`BEGIN; ${SETTINGS}`);
  await addPartitions(from, to);
  const tables = await commonTables(from, to);
  const restore = await liftGuards(to, tables);
  // Migrations have inserted some rows, and so has an earlier move that ended before its checks.
  await to.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
  const moved: MovedTable[] = [];
  for (const { name, columns } of tables) {
    const rows = from.query(copyTo(`COPY (SELECT ${columns} FROM ${name}) TO STDOUT`));
    await pipeline(rows, to.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN`)));
    const [ours, theirs] = [await sumUp(from, { name, columns }), await sumUp(to, { name, columns })];
    if (ours.digest !== theirs.digest || ours.rows !== theirs.rows) {
      throw new MigrationError(`The rows of the table ${name} are not the same in the target: ${ours.rows} and ${theirs.rows} rows.`);
    }
    moved.push({ table: name, rows: ours.rows });
    onTable?.({ table: name, rows: ours.rows });
  }
  await restore();
  // Without statistics, statements of the ledger's checks exceed their time limit.
  await to.query(`ANALYZE ${tables.map(({ name }) => name).join(', ')}`);
  await to.query('COMMIT');
  await from.query('COMMIT');
  return moved;
}

/** Creates the partitions that the source has and the target lacks. */
async function addPartitions(from: pg.Client, to: pg.Client): Promise<void> {
  const [ours, theirs] = [
    partitionsSchema.parse((await from.query(PARTITIONS)).rows),
    partitionsSchema.parse((await to.query(PARTITIONS)).rows),
  ];
  for (const { name, parent, bound } of ours) {
    if (!theirs.some((other) => other.name === name)) await to.query(`CREATE TABLE ${name} PARTITION OF ${parent} ${bound}`);
  }
}

/** Returns the tables of both databases. Throws a MigrationError if they differ. */
async function commonTables(from: pg.Client, to: pg.Client): Promise<readonly Table[]> {
  const [ours, theirs] = [tablesSchema.parse((await from.query(TABLES)).rows), tablesSchema.parse((await to.query(TABLES)).rows)];
  const differing = ours.find((table, index) => theirs[index]?.name !== table.name || theirs[index]?.columns !== table.columns);
  if (differing || ours.length !== theirs.length) {
    throw new MigrationError(`The databases have different tables, for example ${(differing ?? theirs[ours.length])?.name}.`);
  }
  return ours;
}

/**
 * Removes foreign keys and switches off triggers, so that rows can be inserted in any order and as they are. The owner of the tables may do
 * this. Only a superuser may switch off foreign keys, so they are dropped and added again, which also checks all rows.
 * @returns a function that restores everything.
 */
async function liftGuards(to: pg.Client, tables: readonly Table[]): Promise<() => Promise<void>> {
  const foreignKeys = foreignKeysSchema.parse((await to.query(FOREIGN_KEYS)).rows);
  for (const { table, name } of foreignKeys) await to.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of tables) await to.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  return async () => {
    for (const { name } of tables) await to.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    for (const { table, name, definition } of foreignKeys) await to.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  };
}

/** Counts the rows of a table, and adds up a hash of each row, so that their order does not matter. */
async function sumUp(client: pg.Client, { name, columns }: Table): Promise<z.infer<typeof sumSchema>[0]> {
  const { rows } = await client.query(
    `SELECT count(*) AS rows, coalesce(sum(hashtextextended(ROW(${columns})::text, 0)::numeric), 0)::text AS digest FROM ${name}`,
  );
  return sumSchema.parse(rows)[0];
}
