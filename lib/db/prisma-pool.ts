import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { columnTypes } from './column-types';
import { StatementFailed } from './errors';
import type { Session } from './session';

/** The session whose transaction Prisma joins, while a transaction of ours runs. */
export const lentSession = new AsyncLocalStorage<Session>();

type Asked = string | pg.QueryConfig;

/**
 * What Prisma's adapter takes for a pool. It opens no connection itself: it asks another pool, or the lent session. Errors keep
 * what PostgreSQL said, which the adapter would translate.
 */
export class PrismaPool extends pg.Pool {
  constructor(pool: pg.Pool | null) {
    super({ types: columnTypes, max: 1 });
    const query = (asked: Asked) => ask(pool ?? lentSession.getStore(), asked);
    Object.assign(this, { query, ...(pool && { connect: () => pool.connect() }) });
  }
}

async function ask(on: pg.Pool | Session | undefined, asked: Asked): Promise<pg.QueryResult> {
  if (!on) throw new Error('no session is lent');
  try {
    return await on.query(asked);
  } catch (error) {
    throw error instanceof pg.DatabaseError ? new StatementFailed(error) : error;
  }
}
