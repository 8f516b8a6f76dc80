import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlQuery, SqlQueryable, Transaction } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { StatementFailed } from './errors';
import { columnTypes } from './prepared-execution';
import type { Session } from './session';
import type { SessionPool } from './session-pool';

/** The session of our current transaction, which Prisma joins. */
export const transactionSession = new AsyncLocalStorage<Session>();

/**
 * Creates Prisma's adapter on our pool.
 *
 * If Prisma begins a transaction while one of our transactions runs, Prisma uses our transaction. Prisma and hand-written SQL then
 * share it, and our code commits it.
 *
 * Prisma (7.10) writes timestamps without an offset, and PostgreSQL interprets them in the time zone of the session. The adapter
 * adds the offset, so that timestamps are right in every session.
 */
export function prismaAdapter(pool: SessionPool): PrismaPg {
  const factory = new PrismaPg(new PrismaPool(pool));
  const connect = factory.connect.bind(factory);
  return Object.assign(factory, {
    connect: async () => {
      const adapter = withOffsets(await connect());
      const startTransaction = adapter.startTransaction.bind(adapter);
      return Object.assign(adapter, {
        startTransaction: async (...options: Parameters<typeof startTransaction>) => {
          const session = transactionSession.getStore();
          return session ? joinTransaction(session) : withOffsets(await startTransaction(...options));
        },
      });
    },
  });
}

/** Creates a transaction object for Prisma. Our code begins and commits the transaction itself. */
async function joinTransaction(session: Session): Promise<Transaction> {
  const { provider, adapterName, queryRaw, executeRaw } = withOffsets(await new PrismaPg(new PrismaPool(session)).connect());
  const doNothing = async () => undefined;
  // With usePhantomQuery, Prisma sends no COMMIT or ROLLBACK.
  return { provider, adapterName, queryRaw, executeRaw, options: { usePhantomQuery: true }, commit: doNothing, rollback: doNothing };
}

/**
 * A pg.Pool that opens no connections, because Prisma's adapter accepts only an object of this class. It runs queries on another pool, or on
 * a session. It wraps errors of PostgreSQL, because the adapter would replace them by its own.
 */
class PrismaPool extends pg.Pool {
  constructor(on: SessionPool | Session) {
    super({ types: columnTypes, max: 1 });
    const query = (query: string | pg.QueryConfig) =>
      on.query(query).catch((error: unknown) => {
        throw error instanceof pg.DatabaseError ? new StatementFailed(error) : error;
      });
    Object.assign(this, { query, connect: () => on.connect() });
  }
}

function withOffsets<Adapter extends Pick<SqlQueryable, 'queryRaw' | 'executeRaw'>>(adapter: Adapter): Adapter {
  const queryRaw = adapter.queryRaw.bind(adapter);
  const executeRaw = adapter.executeRaw.bind(adapter);
  return Object.assign(adapter, {
    queryRaw: (query: SqlQuery) => queryRaw(addOffsets(query)),
    executeRaw: (query: SqlQuery) => executeRaw(addOffsets(query)),
  });
}

/**
 * Converts timestamps to text with an offset. Prisma's adapter does not change such text. Dates and times of day are not converted, because
 * they have no offset.
 */
function addOffsets(query: SqlQuery): SqlQuery {
  const isInstant = (index: number) => {
    const type = query.argTypes[index];
    return type?.scalarType === 'datetime' && !/^(DATE|TIME|TIMETZ)$/.test(type.dbType ?? '');
  };
  return {
    ...query,
    args: query.args.map((arg, index) => (isInstant(index) ? instantText(arg) : arg)),
    argTypes: query.argTypes.map((type, index) => (isInstant(index) ? { ...type, scalarType: 'string' } : type)),
  };
}

function instantText(arg: unknown): unknown {
  if (Array.isArray(arg)) return arg.map(instantText);
  return typeof arg === 'string' || arg instanceof Date ? new Date(arg).toISOString() : arg;
}
