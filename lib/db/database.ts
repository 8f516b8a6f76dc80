import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient, QueryResultRow } from 'pg';
import { DatabaseUnavailable, isDatabaseUnavailable } from './errors';
import { type Prisma, PrismaClient } from './generated/client';
import { prismaAdapter } from './prisma-adapter';
import { lentSession } from './prisma-pool';
import type { Session, SessionNeed } from './session';
import { SessionPool } from './session-pool';
import { WATCH_LIMITS, type WatchLimits, watchSessions } from './watch-sessions';

/** A statement with a name is prepared once per connection: for the hot paths. */
interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** Anything that runs SQL: the database, or one transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** The database, or one transaction: Prisma's client and SQL on the same connection. */
export interface Connection extends Queryable {
  readonly prisma: Prisma.TransactionClient;
}

interface TransactionOptions {
  /** Whether a statement may take any time, instead of half a minute. */
  readonly unlimited?: boolean;
}

export interface Database extends Connection {
  readonly prisma: PrismaClient;
  /** Commits what `work` did, or rolls it back when it throws. Never calls anybody outside in between. */
  transaction<Value>(work: (tx: Connection) => Promise<Value>, options?: TransactionOptions): Promise<Value>;
  /** As `transaction`, without Prisma: for the busiest loops. */
  sqlTransaction<Value>(work: (tx: Queryable) => Promise<Value>, options?: TransactionOptions): Promise<Value>;
  /**
   * Asks, but not for longer than a limit. @returns the answer, or undefined if all connections were busy getting other answers.
   * Throws DatabaseUnavailable if the database answered nobody.
   */
  askWithin<Value>(limitMs: number, ask: () => Promise<Value>): Promise<Value | undefined>;
  close(): Promise<void>;
}

/** The longest that a timer can run, milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface DatabaseOptions {
  /** May name several hosts: see {@link SessionPool}. */
  readonly url: string;
  readonly poolSize: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly need?: SessionNeed;
  /** Hears of connections that failed while nothing was asked on them. */
  readonly onError: (error: unknown) => void;
  /** How long opening a connection, or waiting for a free one, may take, milliseconds. */
  readonly connectMs?: number;
  readonly limits?: WatchLimits;
}

/** Opens no connection yet. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, poolSize, applicationName, need = 'serves', onError, connectMs = 5_000, limits = WATCH_LIMITS } = options;
  const pool = new SessionPool({ url, size: poolSize, applicationName, need, connectMs });
  const probe = new SessionPool({
    url,
    size: 1,
    applicationName: `${applicationName} probe`,
    need,
    connectMs: limits.silenceMs,
  });
  const report = (error: Error) => onError(isDatabaseUnavailable(error) ? error : new DatabaseUnavailable(error));
  for (const one of [pool, probe]) one.on('error', report);
  const stopWatching = watchSessions({ pool, probe, limits, onError });
  const prisma = new PrismaClient({ adapter: prismaAdapter(pool) });

  return {
    prisma,
    query: (statement, values) => run(pool, statement, values),
    transaction: (work, transactionOptions) =>
      inTransaction(pool, report, (session) => withPrisma(prisma, session, work), transactionOptions),
    sqlTransaction: (work, transactionOptions) => inTransaction(pool, report, (session) => work(sqlOn(session)), transactionOptions),
    askWithin: (limitMs, ask) => askWithin(pool, limitMs, ask),
    async close() {
      await prisma.$disconnect();
      // Watched until its last session is back: one may wait for a server that is gone.
      if (!pool.ended) await pool.end();
      stopWatching();
      if (!probe.ended) await probe.end();
    },
  };
}

async function inTransaction<Value>(
  pool: SessionPool,
  report: (error: Error) => void,
  work: (session: Session) => Promise<Value>,
  { unlimited = false }: TransactionOptions = {},
): Promise<Value> {
  const session = await pool.connect();
  // The pool reports what happens to an idle session only.
  session.on('error', report);
  let broken = false;
  try {
    session.patient = unlimited;
    await session.query('BEGIN');
    if (unlimited) await session.query('SET LOCAL statement_timeout = 0');
    const value = await work(session);
    await session.query('COMMIT');
    return value;
  } catch (error) {
    broken = session.lost || !(await rollBack(session));
    throw error;
  } finally {
    session.patient = false;
    session.off('error', report);
    session.release(broken);
  }
}

/** Prisma limits transactions by itself. Here PostgreSQL and the pool do. */
const NO_LIMITS = { maxWait: MAX_TIMER_MS, timeout: MAX_TIMER_MS };

/** Prisma's own transaction is only a view of ours: see {@link prismaAdapter}. */
function withPrisma<Value>(prisma: PrismaClient, session: Session, work: (tx: Connection) => Promise<Value>): Promise<Value> {
  return lentSession.run(session, () => prisma.$transaction((client) => work({ prisma: client, ...sqlOn(session) }), NO_LIMITS));
}

function sqlOn(session: Session): Queryable {
  return { query: (statement, values) => run(session, statement, values) };
}

/** @returns whether the session is as before. */
async function rollBack(session: Session): Promise<boolean> {
  return session.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}

async function askWithin<Value>(pool: SessionPool, limitMs: number, ask: () => Promise<Value>): Promise<Value | undefined> {
  const asked = performance.now();
  const answered = new AbortController();
  const late = delay(limitMs, undefined, { signal: answered.signal }).then(() => {
    if (!pool.answeredSince(asked)) throw new DatabaseUnavailable(new Error(`the server did not answer within ${limitMs} ms`));
    return undefined;
  });
  // The loser of the race has nobody else to hear it.
  late.catch(() => undefined);
  try {
    return await Promise.race([ask(), late]);
  } finally {
    answered.abort();
  }
}

async function run<Row extends QueryResultRow>(
  on: Pick<SessionPool | PoolClient, 'query'>,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    const result = await on.query<Row>({ ...statement, values: [...values] });
    return result.rows;
  } catch (error) {
    // The stack of the socket's event says nothing of who asked.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
