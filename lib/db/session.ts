import pg from 'pg';
import { z } from 'zod';
import { classify, DatabaseUnavailable, isDatabaseUnavailable } from './errors';

/** How long a statement may wait for another transaction's row, milliseconds. The contract's 409 after 5 seconds comes from here. */
export const LOCK_TIMEOUT_MS = 5_000;

/** What every session relies on, in PostgreSQL's own spelling: `pg_settings.reset_val` has the same values without units. */
export const SESSION_SETTINGS = {
  TimeZone: 'UTC',
  lock_timeout: `${LOCK_TIMEOUT_MS}`,
  statement_timeout: '30000',
  idle_in_transaction_session_timeout: '30000',
  // Statistics lag behind after a restore or a large import, and PostgreSQL then compiles statements that take a millisecond.
  jit: 'off',
} as const;

const SET_SETTINGS = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `set_config('${name}', '${value}', false)`)
  .join(', ');
const NAMES = Object.keys(SESSION_SETTINGS)
  .map((name) => `'${name}'`)
  .join(', ');

const PREPARE = `SELECT ${SET_SETTINGS}, pg_backend_pid() AS pid, extract(epoch FROM pg_postmaster_start_time())::text AS server,
  pg_is_in_recovery() AS recovering, current_setting('transaction_read_only') = 'on' AS "readOnly"`;

/** Settings of a new server connection, before anybody changed them. */
const READ_DEFAULTS = `SELECT name, reset_val AS value FROM pg_settings WHERE name IN (${NAMES})`;

/**
 * What a session must be good for. `answers`: the server may be read-only, and a pooler may lose settings. `writes`: a pooler
 * may lose settings. `serves`: neither.
 */
export type SessionNeed = 'answers' | 'writes' | 'serves';

const preparedSchema = z.tuple([z.object({ pid: z.number(), server: z.string(), recovering: z.boolean(), readOnly: z.boolean() })]);
const defaultsSchema = z.array(
  z.object({
    name: z.enum(['TimeZone', 'lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'jit']),
    value: z.string(),
  }),
);

/** One connection of the pool, which knows whether the server still answers it and reports errors as the database's own. */
export class Session extends pg.Client {
  /** When the oldest unanswered statement was sent, on performance.now()'s clock; null while none is. */
  waitingSince: number | null = null;
  /** When the latest answer came, on the same clock. */
  answeredAt = 0;
  /** Whether it can no longer be used. */
  lost = false;
  /** Whether its statements may take any time, because their transaction has switched off PostgreSQL's limit. */
  patient = false;
  /** The process that serves it, and since when its server runs: together they name one session of one server. */
  pid = 0;
  server = '';
  /** Whether a connection pooler is in between, which may give each transaction another server connection. */
  pooled = false;
  /** The process id that came with the connection's own handshake. A pooler makes one up. */
  #announcedPid: number | null = null;
  #unanswered = 0;
  readonly #query: pg.Client['query'];

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.connection.on('backendKeyData', ({ processID }: { readonly processID: number }) => {
      this.#announcedPid = processID;
    });
    // An error event without a listener ends the process, and the pool listens only while a session is idle. What is asked next fails.
    this.on('error', () => undefined);
    this.#query = this.query.bind(this);
    // Typed as before: only these two forms are used, by the pool, by Prisma's adapter and here.
    Object.assign(this, {
      query: (config: string | pg.QueryConfig) =>
        new Promise((resolve, reject) => this.ask(config, (error, result) => (error ? reject(error) : resolve(result)))),
    });
  }

  /** Sets what every session relies on, and checks the server. Throws DatabaseUnavailable if it does not meet the need. */
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

  /** @returns the settings that a new server connection would not have: a pooler may give the next transaction such a one. */
  async findLostSettings(): Promise<string[]> {
    const rows = defaultsSchema.parse((await this.query(READ_DEFAULTS)).rows);
    return rows.filter(({ name, value }) => value !== SESSION_SETTINGS[name]).map(({ name }) => name);
  }

  /** Ends the connection at once, without a word to the server. What it was asked fails with the reason. */
  drop(reason: string): void {
    this.lost = true;
    this.connection.stream.destroy(new DatabaseUnavailable(new Error(reason)));
  }

  /** Runs one statement. A callback, because a promise at each level costs the hot path a few per cent. */
  ask(config: string | pg.QueryConfig, done: (error: unknown, result: pg.QueryResult | undefined) => void): void {
    if (this.#unanswered === 0) this.waitingSince = performance.now();
    this.#unanswered += 1;
    this.#query(typeof config === 'string' ? config : this.#adapted(config), (error, result) => {
      const now = performance.now();
      this.#unanswered -= 1;
      this.waitingSince = this.#unanswered === 0 ? null : now;
      if (error) return done(this.#translated(error), undefined);
      this.answeredAt = now;
      done(undefined, result);
    });
  }

  #adapted(config: pg.QueryConfig): pg.QueryConfig {
    const { name, types } = config;
    if (types) return { ...config, types: withInstants(types) };
    // A prepared statement lives in one server connection, which a pooler may have given to somebody else meanwhile.
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

/** Prisma's adapter brings its own parsers and takes every offset for UTC (7.10). */
function withInstants({ getTypeParser }: pg.CustomTypesConfig): pg.CustomTypesConfig {
  const { TIMESTAMPTZ } = pg.types.builtins;
  const read = (text: string) => pg.types.getTypeParser(TIMESTAMPTZ, 'text')(text).toISOString();
  return { getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === TIMESTAMPTZ ? read : getTypeParser(oid, format)) };
}

function poolerSentence(lost: readonly string[]): string {
  return (
    `the connection pooler does not keep these settings of a session: ${lost.join(', ')}. ` +
    'Run "npm run -s bili -- migrate" to store them as defaults of the role, then let the pooler reconnect (RECONNECT in PgBouncer)'
  );
}
