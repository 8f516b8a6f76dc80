import { PrismaPg } from '@prisma/adapter-pg';
import pg, { type Pool, type PoolClient, type QueryResultRow } from 'pg';
import { PrismaClient } from './generated/client';

/** A statement with a name is prepared once per connection: for the hot paths. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** Anything that runs SQL: the pool, or one transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** For everything that is not a hot path or a lock. Shares the pool. */
  readonly prisma: PrismaClient;
  /** Commits what `work` did, or rolls it back when it throws. Never calls anybody outside in between. */
  transaction<Value>(work: (tx: Queryable) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly onError: (error: Error) => void;
}

/** How long a statement may wait for another transaction's row, milliseconds. The contract's 409 after 5 seconds comes from here. */
export const LOCK_TIMEOUT_MS = 5_000;

// bigint columns as bigint: money must not pass through a float.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) return (text: string) => BigInt(text);
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
};

export function openDatabase({ url, poolSize, onError }: DatabaseOptions): Database {
  const pool: Pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    types,
    options: `-c timezone=UTC -c lock_timeout=${LOCK_TIMEOUT_MS} -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000`,
  });
  pool.on('error', onError);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });

  return {
    prisma,
    query: (statement, values) => run(pool, statement, values),
    async transaction(work) {
      const client = await pool.connect();
      // The pool listens only while a connection is idle: unheard, a lost one would end the process.
      client.on('error', onError);
      try {
        await client.query('BEGIN');
        const value = await work({ query: (statement, values) => run(client, statement, values) });
        await client.query('COMMIT');
        client.off('error', onError);
        client.release();
        return value;
      } catch (error) {
        const broken = await client.query('ROLLBACK').then(
          () => undefined,
          (reason: Error) => reason,
        );
        client.off('error', onError);
        client.release(broken);
        throw error;
      }
    },
    async close() {
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}

async function run<Row extends QueryResultRow>(
  on: Pool | PoolClient,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await on.query<Row>({ ...statement, values: [...values] });
  return result.rows;
}

/** @returns the SQLSTATE and constraint of an error PostgreSQL raised, or undefined for any other. */
export function postgresError(error: unknown): { code: string; constraint: string | undefined } | undefined {
  if (error instanceof pg.DatabaseError && error.code) return { code: error.code, constraint: error.constraint };
  return undefined;
}

/** A lock or a statement took longer than it may. */
const BUSY_CODES = new Set(['55P03', '57014']);
const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

/** Whether the database could not be reached, is shutting down, or has no connection left: trying later may help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = postgresError(error)?.code;
  if (code) return BUSY_CODES.has(code) || code.startsWith('08') || code.startsWith('57P') || code.startsWith('53');
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && CONNECTION_CODES.has(error.code)) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(error.message);
}
