import pg from 'pg';
import { z } from 'zod';
import { classify, DatabaseUnavailable, isDatabaseUnavailable } from './errors';
import { type Column, describeColumns, PreparedExecution } from './prepared-execution';

/**
 * How long a statement waits for a lock, milliseconds. docs/api.md names this limit, because a request with the same Idempotency-Key as a
 * running request waits for it.
 */
export const LOCK_TIMEOUT_MS = 5_000;

/** The settings of every session, spelled like `pg_settings.reset_val`: without units. */
export const SESSION_SETTINGS = {
  TimeZone: 'UTC',
  lock_timeout: `${LOCK_TIMEOUT_MS}`,
  statement_timeout: '30000',
  idle_in_transaction_session_timeout: '30000',
  // After a restore or a large import, PostgreSQL has old statistics. With them, it would spend time on JIT compilation of statements that
  // take one millisecond.
  jit: 'off',
  // PostgreSQL takes longer to start parallel workers than to run the statements of pages. Parallel workers also take processor time from
  // the API.
  max_parallel_workers_per_gather: '0',
} as const;

const SET_SETTINGS = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `set_config('${name}', '${value}', false)`)
  .join(', ');
const NAMES = Object.keys(SESSION_SETTINGS)
  .map((name) => `'${name}'`)
  .join(', ');

const PREPARE = `SELECT ${SET_SETTINGS}, pg_backend_pid() AS pid, extract(epoch FROM pg_postmaster_start_time())::text AS server,
  pg_is_in_recovery() AS recovering, current_setting('transaction_read_only') = 'on' AS "readOnly"`;

/** Reads the settings that a new server connection has. */
const READ_DEFAULTS = `SELECT name, reset_val AS value FROM pg_settings WHERE name IN (${NAMES})`;

/**
 * What a session needs. `answers`: any server, even a read-only one. `writes`: a server that accepts writes. `serves`: the same, and no
 * pooler in between that loses the session settings.
 */
export type SessionNeed = 'answers' | 'writes' | 'serves';

const preparedSchema = z.tuple([z.object({ pid: z.number(), server: z.string(), recovering: z.boolean(), readOnly: z.boolean() })]);
const defaultsSchema = z.array(
  z.object({
    name: z.enum([
      'TimeZone',
      'lock_timeout',
      'statement_timeout',
      'idle_in_transaction_session_timeout',
      'jit',
      'max_parallel_workers_per_gather',
    ]),
    value: z.string(),
  }),
);

/** The answer to a statement. */
export type Answer = Pick<pg.QueryResult, 'rows'>;

/** A connection of the pool. It records when the server answered last, and throws connection errors as DatabaseUnavailable. */
export class Session extends pg.Client {
  /** Since when the session waits for an answer, on the clock of performance.now(); null if it does not wait. */
  waitingSince: number | null = null;
  /** The time of the last answer, on the clock of performance.now(). */
  answeredAt = 0;
  /** Whether the connection is lost, so that the session cannot be used. */
  lost = false;
  /** Whether the current transaction has no statement_timeout. */
  unlimited = false;
  pid = 0;
  /** The start time of the database server. It identifies the server. */
  server = '';
  /** True if the connection leads to a connection pooler, which may use another server connection for each transaction. */
  pooled = false;
  /** The backend's process id in the connection handshake. A pooler sends an invented one. */
  #announcedPid: number | null = null;
  #unanswered = 0;
  /** True while the socket collects statements, so that they are sent in one packet. */
  #collecting = false;
  /** The statements that are prepared in this session, by name. */
  readonly #prepared = new Map<string, { readonly text: string; readonly columns: readonly Column[] }>();
  readonly #query: pg.Client['query'];

  constructor(config: pg.ClientConfig) {
    // With `pipeline`, the driver sends a statement before the server has answered the previous one. The server runs and answers statements
    // in their order. If a statement of a transaction fails, the following ones have no effect.
    super({ ...config, pipeline: true });
    this.connection.on('backendKeyData', ({ processID }: { readonly processID: number }) => {
      this.#announcedPid = processID;
    });
    // Node ends the process if an error event has no handler, and the pool handles only the errors of idle sessions. This handler does
    // nothing, because the next statement fails anyway.
    this.on('error', () => undefined);
    this.#query = this.query.bind(this);
    // Object.assign avoids a type error: the type of `query` has overloads that this function lacks. The pool, Prisma's adapter and this
    // class pass only a text or a QueryConfig.
    Object.assign(this, {
      query: (config: string | pg.QueryConfig) =>
        new Promise((resolve, reject) => this.ask(config, (error, result) => (error ? reject(error) : resolve(result)))),
    });
  }

  /** Applies the session settings and checks the server. Throws DatabaseUnavailable if the server cannot be used for `need`. */
  async prepare(need: SessionNeed): Promise<void> {
    const [found] = preparedSchema.parse((await this.query(PREPARE)).rows);
    this.pid = found.pid;
    this.server = found.server;
    this.pooled = found.pid !== this.#announcedPid;
    if (need === 'answers') return;
    if (found.recovering) throw new DatabaseUnavailable(new Error('the server is a standby or in recovery, so it is read-only'));
    if (found.readOnly) throw new DatabaseUnavailable(new Error('the server is read-only'));
    const lost = need === 'serves' && this.pooled ? await this.findLostSettings() : [];
    if (lost.length > 0) throw new DatabaseUnavailable(new Error(poolerSentence(lost)));
  }

  /** Returns the settings that are lost if a pooler uses a new server connection for the next transaction. */
  async findLostSettings(): Promise<string[]> {
    const rows = defaultsSchema.parse((await this.query(READ_DEFAULTS)).rows);
    return rows.filter(({ name, value }) => value !== SESSION_SETTINGS[name]).map(({ name }) => name);
  }

  /** Closes the socket immediately. Statements that wait for an answer fail with the reason. */
  drop(reason: string): void {
    this.lost = true;
    this.connection.stream.destroy(new DatabaseUnavailable(new Error(reason)));
  }

  /** Runs one statement. It uses a callback because promises at each level make hot paths a few per cent slower. */
  ask(config: string | pg.QueryConfig, done: (error: unknown, result: Answer | undefined) => void): void {
    if (this.#unanswered === 0) this.waitingSince = performance.now();
    this.#unanswered += 1;
    this.#sendTogether();
    this.#send(config, (error, result) => {
      const now = performance.now();
      this.#unanswered -= 1;
      this.waitingSince = this.#unanswered === 0 ? null : now;
      if (error) return done(this.#translated(error), undefined);
      this.answeredAt = now;
      done(undefined, result);
    });
  }

  /**
   * Sends the statements that are started in the same moment in one packet, because each packet costs a system call and a context switch.
   */
  #sendTogether(): void {
    if (this.#collecting) return;
    this.#collecting = true;
    const { stream } = this.connection;
    stream.cork();
    process.nextTick(() => {
      this.#collecting = false;
      stream.uncork();
    });
  }

  #send(config: string | pg.QueryConfig, done: (error: unknown, result: Answer | undefined) => void): void {
    if (typeof config === 'string') {
      this.#query(config, done);
      return;
    }
    const { name = '', text, values = [], types } = config;
    const known = this.#prepared.get(name);
    if (known?.text === text && !types) {
      this.#query(new PreparedExecution(name, values, known.columns, done));
      return;
    }
    const adapted = this.#adapted(config);
    this.#query(adapted, (error, result) => {
      if (!error && adapted.name !== undefined && !types) this.#prepared.set(name, { text, columns: describeColumns(result.fields) });
      done(error, result);
    });
  }

  #adapted(config: pg.QueryConfig): pg.QueryConfig {
    const { name, types } = config;
    if (types) return { ...config, types: withInstants(types) };
    // A prepared statement belongs to one server connection. A pooler may use another connection for the next transaction, so behind a
    // pooler no statement is prepared.
    return this.pooled && name !== undefined ? { ...config, name: undefined } : config;
  }

  #translated(error: unknown): unknown {
    if (isDatabaseUnavailable(error)) return error;
    const kind = classify(error);
    if (kind === 'other') return error;
    if (kind === 'lost' && !this.lost) {
      this.lost = true;
      // The pool does not reuse a session that has been ended.
      this.end(() => undefined);
    }
    return new DatabaseUnavailable(error);
  }
}

/** Replaces the timestamp parser of Prisma's adapter (7.10), which treats every offset as UTC. */
function withInstants({ getTypeParser }: pg.CustomTypesConfig): pg.CustomTypesConfig {
  const { TIMESTAMPTZ } = pg.types.builtins;
  const read = (text: string) => pg.types.getTypeParser(TIMESTAMPTZ, 'text')(text).toISOString();
  return { getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === TIMESTAMPTZ ? read : getTypeParser(oid, format)) };
}

function poolerSentence(lost: readonly string[]): string {
  return (
    `the connection pooler loses these session settings: ${lost.join(', ')}. ` +
    'Run "npm run -s bili -- migrate" to store them as defaults of the role, then let the pooler reconnect (RECONNECT in PgBouncer)'
  );
}
