import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { StatementFailed } from './errors';
import { columnTypes } from './prepared-execution';
import type { Session } from './session';

/** The session of our current transaction, which Prisma joins. */
export const transactionSession = new AsyncLocalStorage<Session>();

type Query = string | pg.QueryConfig;

/**
 * A pg.Pool for Prisma's adapter that opens no connections. It runs queries on another pool, or on the session of the current
 * transaction. It wraps errors of PostgreSQL, because the adapter would replace them by its own.
 */
export class PrismaPool extends pg.Pool {
  constructor(pool: pg.Pool | null) {
    super({ types: columnTypes, max: 1 });
    const query = (query: Query) => run(pool ?? transactionSession.getStore(), query);
    Object.assign(this, { query, ...(pool && { connect: () => pool.connect() }) });
  }
}

async function run(on: pg.Pool | Session | undefined, query: Query): Promise<pg.QueryResult> {
  if (!on) throw new Error('there is no current transaction');
  try {
    return await on.query(query);
  } catch (error) {
    throw error instanceof pg.DatabaseError ? new StatementFailed(error) : error;
  }
}
