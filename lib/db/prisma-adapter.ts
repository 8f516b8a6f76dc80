import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlQuery, SqlQueryable, Transaction } from '@prisma/driver-adapter-utils';
import { lentSession, PrismaPool } from './prisma-pool';
import type { Session } from './session';
import type { SessionPool } from './session-pool';

/**
 * Prisma's adapter on our pool.
 *
 * A transaction that begins while a session is lent joins the transaction of that session: Prisma and hand-written SQL then
 * share it, and whoever lent the session commits it.
 *
 * Prisma writes instants without an offset (7.10), which PostgreSQL takes for the session's time zone: here they carry one, so
 * that they are right in every session.
 */
export function prismaAdapter(pool: SessionPool): PrismaPg {
  const factory = new PrismaPg(new PrismaPool(pool));
  const connect = factory.connect.bind(factory);
  return Object.assign(factory, {
    connect: async () => {
      const adapter = withOffsets(await connect());
      const onLent = withOffsets(await new PrismaPg(new PrismaPool(null)).connect());
      const startTransaction = adapter.startTransaction.bind(adapter);
      return Object.assign(adapter, {
        startTransaction: async (...options: Parameters<typeof startTransaction>) => {
          const session = lentSession.getStore();
          return session ? joinTransaction(onLent, session) : withOffsets(await startTransaction(...options));
        },
      });
    },
  });
}

/** @returns Prisma's view of a transaction that somebody else begins and ends. */
function joinTransaction(adapter: SqlQueryable, session: Session): Transaction {
  const done = async () => undefined;
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    // Prisma sends no COMMIT or ROLLBACK.
    options: { usePhantomQuery: true },
    queryRaw: (query) => lentSession.run(session, () => adapter.queryRaw(query)),
    executeRaw: (query) => lentSession.run(session, () => adapter.executeRaw(query)),
    commit: done,
    rollback: done,
  };
}

function withOffsets<Adapter extends Pick<SqlQueryable, 'queryRaw' | 'executeRaw'>>(adapter: Adapter): Adapter {
  const queryRaw = adapter.queryRaw.bind(adapter);
  const executeRaw = adapter.executeRaw.bind(adapter);
  return Object.assign(adapter, {
    queryRaw: (query: SqlQuery) => queryRaw(offset(query)),
    executeRaw: (query: SqlQuery) => executeRaw(offset(query)),
  });
}

/** Text with an offset passes through Prisma's adapter unchanged, unlike an instant. Dates and times of day have no offset. */
function offset(query: SqlQuery): SqlQuery {
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
