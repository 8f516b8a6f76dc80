import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlQuery } from '@prisma/driver-adapter-utils';
import type { SessionPool } from './session-pool';

interface Asks {
  queryRaw(query: SqlQuery): Promise<unknown>;
  executeRaw(query: SqlQuery): Promise<unknown>;
}

/**
 * Prisma's adapter on our pool. It writes instants without an offset (7.10), which PostgreSQL takes for the session's time
 * zone: here they carry one, so that they are right in every session.
 */
export function prismaAdapter(pool: SessionPool): PrismaPg {
  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  return Object.assign(factory, {
    connect: async () => {
      const adapter = withOffsets(await connect());
      const startTransaction = adapter.startTransaction.bind(adapter);
      return Object.assign(adapter, {
        startTransaction: async (...options: Parameters<typeof startTransaction>) => withOffsets(await startTransaction(...options)),
      });
    },
  });
}

function withOffsets<Adapter extends Asks>(adapter: Adapter): Adapter {
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
