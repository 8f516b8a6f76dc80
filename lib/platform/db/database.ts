import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient, QueryResultRow } from 'pg';
import { DatabaseUnavailable, isDatabaseUnavailable } from './errors';
import { type Prisma, PrismaClient } from './generated/client';
import { prismaAdapter, transactionSession } from './prisma-adapter';
import type { Session, SessionNeed } from './session';
import { SessionPool } from './session-pool';
import { STALL_MS, WATCH_LIMITS, type WatchLimits, watchSessions } from './watch-sessions';

/** A statement of SQL. With a name, it is prepared once per connection, which makes hot paths faster. */
interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** Runs SQL. An object of this type is either the database, or one transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** Runs SQL and Prisma. An object of this type is either the database, or one transaction, in which SQL and Prisma share a connection. */
export interface Connection extends Queryable {
  readonly prisma: Prisma.TransactionClient;
}

interface TransactionOptions {
  /** Whether statements may take longer than 30 seconds. */
  readonly unlimited?: boolean;
}

export interface Database extends Connection {
  readonly prisma: PrismaClient;
  /** Runs `work` in a transaction: commits it, or rolls back if `work` throws. `work` must not call other systems. */
  transaction<Value>(work: (tx: Connection) => Promise<Value>, options?: TransactionOptions): Promise<Value>;
  /**
   * Like `transaction`, but faster, because `work` cannot use Prisma. Statements that `work` starts without waiting in between are sent
   * together, and run in the order in which they were started. `work` must wait for all of them, also if one fails, because no statement
   * may be sent after the rollback.
   */
  sqlTransaction<Value>(work: (tx: Queryable) => Promise<Value>, options?: TransactionOptions): Promise<Value>;
  /**
   * Runs queries with a time limit. Returns the result of `work` if it finishes in time. Otherwise returns undefined if the database
   * answered any query in this time, and throws DatabaseUnavailable if the database answered no query.
   */
  runWithin<Value>(limitMs: number, work: () => Promise<Value>): Promise<Value | undefined>;
  /** Returns the number of connections: how many are open, idle and possible, and how many queries wait for one. */
  connections(): { readonly open: number; readonly idle: number; readonly waiting: number; readonly max: number };
  close(): Promise<void>;
}

/** The longest timer that Node supports, milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface DatabaseOptions {
  /** Can contain several hosts: see {@link SessionPool}. */
  readonly url: string;
  readonly poolSize: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly need?: SessionNeed;
  /** Receives the errors of idle connections. */
  readonly onError: (error: unknown) => void;
  /** Time limit for opening a connection or waiting for a free one, milliseconds. */
  readonly connectMs?: number;
  readonly limits?: WatchLimits;
}

/** Creates the database client. The first query opens the first connection. */
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
  async function connect(): Promise<void> {
    const once = new SessionPool({
      url,
      size: 1,
      applicationName: `${applicationName} probe`,
      need: 'answers',
      connectMs: limits.stallMs ?? STALL_MS,
    });
    once.on('error', () => undefined);
    try {
      (await once.connect()).release(true);
    } finally {
      await once.end();
    }
  }
  const stopWatching = watchSessions({ pool, probe, connect, limits, onError });
  let client: PrismaClient | undefined;
  // The creation of Prisma's client takes tens of milliseconds, and many commands do not need the client.
  const prisma = () => {
    client ??= new PrismaClient({ adapter: prismaAdapter(pool) });
    return client;
  };

  return {
    get prisma() {
      return prisma();
    },
    query: (statement, values) => run(pool, statement, values),
    transaction: (work, transactionOptions) =>
      inTransaction(pool, report, (session, current) => withPrisma(prisma(), session, current, work), transactionOptions),
    sqlTransaction: (work, transactionOptions) =>
      inTransaction(pool, report, (session, current) => work(sqlOn(session, current)), transactionOptions),
    runWithin: (limitMs, work) => runWithin(pool, limitMs, work),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max: poolSize }),
    async close() {
      await client?.$disconnect();
      // `pool.end` waits for all sessions, and would wait forever for a session whose server is gone. `watchSessions` drops such sessions,
      // so it must run until `pool.end` has finished.
      if (!pool.ended) await pool.end();
      stopWatching();
      if (!probe.ended) await probe.end();
    },
  };
}

async function inTransaction<Value>(
  pool: SessionPool,
  report: (error: Error) => void,
  work: (session: Session, transaction: Transaction) => Promise<Value>,
  { unlimited = false }: TransactionOptions = {},
): Promise<Value> {
  const session = await pool.connect();
  // The pool reports only the errors of idle sessions.
  session.on('error', report);
  let broken = false;
  try {
    session.unlimited = unlimited;
    // BEGIN is not awaited, so that it is sent in one packet with the first statement. It fails only if the connection fails.
    const begun = session.query(unlimited ? 'BEGIN; SET LOCAL statement_timeout = 0' : 'BEGIN');
    // If no statement follows, no other code handles the failure of BEGIN.
    begun.catch(() => undefined);
    const transaction = { begun, ended: false };
    const value = await work(session, transaction).finally(() => {
      transaction.ended = true;
    });
    await session.query('COMMIT');
    return value;
  } catch (error) {
    broken = session.lost || !(await rollBack(session));
    throw error;
  } finally {
    session.unlimited = false;
    session.off('error', report);
    session.release(broken);
  }
}

/** Switches off Prisma's own limits of transactions, because PostgreSQL and the pool have such limits. */
const NO_LIMITS = { maxWait: MAX_TIMER_MS, timeout: MAX_TIMER_MS };

/** Runs work with Prisma in our transaction: see {@link prismaAdapter}. */
async function withPrisma<Value>(
  prisma: PrismaClient,
  session: Session,
  transaction: Transaction,
  work: (tx: Connection) => Promise<Value>,
): Promise<Value> {
  await transaction.begun;
  const sql = sqlOn(session, transaction);
  return transactionSession.run(session, () => prisma.$transaction((client) => work({ prisma: client, ...sql }), NO_LIMITS));
}

interface Transaction {
  /** The result of BEGIN. It may not have arrived when the first statement is sent. If BEGIN fails, that statement fails too. */
  readonly begun: Promise<unknown>;
  ended: boolean;
}

function sqlOn(session: Session, transaction: Transaction): Queryable {
  return {
    async query<Row extends QueryResultRow>(statement: Statement, values?: readonly unknown[]) {
      // After the end of the transaction, PostgreSQL would commit the statement immediately, in a transaction of its own.
      if (transaction.ended) throw new Error('a statement was sent after the end of its transaction');
      const rows = await run<Row>(session, statement, values);
      await transaction.begun;
      return rows;
    },
  };
}

/** Returns whether the rollback succeeded, so that the session can be used again. */
async function rollBack(session: Session): Promise<boolean> {
  return session.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}

async function runWithin<Value>(pool: SessionPool, limitMs: number, work: () => Promise<Value>): Promise<Value | undefined> {
  const startedAt = performance.now();
  const finished = new AbortController();
  const timeout = delay(limitMs, undefined, { signal: finished.signal }).then(() => {
    if (!pool.answeredSince(startedAt)) throw new DatabaseUnavailable(new Error(`the server did not answer within ${limitMs} ms`));
    return undefined;
  });
  // If `work` fails first, nobody handles a later rejection of `timeout`.
  timeout.catch(() => undefined);
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    finished.abort();
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
    // The error was created in an event of the socket. captureStackTrace replaces its stack by that of the caller.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
