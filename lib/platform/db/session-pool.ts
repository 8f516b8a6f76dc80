import pg from 'pg';
import { hostUrls } from '@/lib/platform/config/database-url';
import { DatabaseUnavailable, isTooManyConnections } from './errors';
import { columnTypes } from './prepared-execution';
import { type Answer, Session, type SessionNeed } from './session';

type PooledSession = pg.PoolClient & Session;
type Connected = (error: Error | undefined, client: PooledSession | undefined, done: (release?: unknown) => void) => void;

interface SessionPoolOptions {
  /** Can contain several hosts. The first one that accepts writes is used until it fails. */
  readonly url: string;
  readonly size: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly need: SessionNeed;
  /** Time limit for opening a connection or waiting for a free one, milliseconds. */
  readonly connectMs: number;
}

/** The reason why statements fail while the server does not answer. */
const SILENT = 'the server does not answer';

/** The error message of pg.Pool if no connection became free in time. */
const NO_FREE_CONNECTION = 'timeout exceeded when trying to connect';

/** A pool of database sessions that have {@link SESSION_SETTINGS}. It throws every error of a connection as DatabaseUnavailable. */
export class SessionPool extends pg.Pool {
  readonly sessions = new Set<Session>();
  readonly #urls: readonly string[];
  readonly #need: SessionNeed;
  #host = 0;
  /** True if a read-only host is accepted: there is only one host, or no host accepts writes. */
  #acceptsAny: boolean;
  readonly #connectMs: number;
  readonly #shortage: ConnectionShortage;
  /** Rejects the statements of {@link query} that wait for a session or for an answer. */
  readonly #waiting = new Set<(error: Error) => void>();
  #stalled = false;

  constructor({ url, size, applicationName, need, connectMs }: SessionPoolOptions) {
    const address = () => this.currentUrl;
    super({
      max: size,
      application_name: applicationName,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: columnTypes,
      Client: class extends Session {
        constructor(config?: pg.ClientConfig) {
          super({ ...config, connectionString: address() });
        }
      },
      onConnect: (client) => this.#prepare(client, connectMs),
    });
    this.#urls = hostUrls(url);
    this.#need = need;
    this.#connectMs = connectMs;
    this.#shortage = new ConnectionShortage(this, size);
    this.#acceptsAny = this.#urls.length === 1;
    Object.assign(this, { query: (config: string | pg.QueryConfig) => this.#ask(config) });
  }

  /** Whether the server does not answer anybody. */
  get stalled(): boolean {
    return this.#stalled;
  }

  /**
   * Says whether the server does not answer anybody. While it does not, statements fail at once instead of waiting. So do those that wait
   * already, although the server may still run them: callers do not know the result then, as after a lost connection.
   */
  setStalled(stalled: boolean): void {
    this.#stalled = stalled;
    if (!stalled) return;
    for (const fail of this.#waiting) fail(unavailable([new Error(SILENT)]));
    this.#waiting.clear();
  }

  get currentUrl(): string {
    return this.#urls[this.#host] ?? '';
  }

  override connect(): Promise<PooledSession>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PooledSession> | undefined {
    if (callback) {
      this.#open(callback);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#open((error, client) => (client ? resolve(client) : reject(error)));
    });
  }

  /** Opens a connection to the current host. If that fails, tries the other hosts. */
  #open(callback: Connected, failures: readonly Error[] = [], waitsUntil = performance.now() + this.#connectMs): void {
    if (this.#stalled) {
      callback(unavailable([new Error(SILENT)]), undefined, () => undefined);
      return;
    }
    const host = this.#host;
    this.#shortage.relax();
    // A free session is returned in this turn of the event loop. So nothing waits, and no timer for a time limit is needed.
    if (this.idleCount > this.waitingCount) this.options.connectionTimeoutMillis = 0;
    super.connect((error, client, done) => {
      if (client instanceof Session) return callback(undefined, client, done);
      const all = [...failures, error ?? new Error('the pool opens sessions only')];
      // The host has not failed, so no other host is tried: all connections of the pool are busy.
      if (error?.message === NO_FREE_CONNECTION) return callback(unavailable(all), undefined, done);
      const mayWait = isTooManyConnections(error) && performance.now() < waitsUntil;
      if (error && mayWait && this.#shareOpenSessions(error)) return this.#open(callback, failures, waitsUntil);
      // Another connection that failed at the same time may have changed the host already.
      if (this.#host === host) this.#host = (host + 1) % this.#urls.length;
      if (all.length < this.#urls.length) return this.#open(callback, all, waitsUntil);
      if (this.#acceptsAny || this.#need !== 'answers') return callback(unavailable(all), undefined, done);
      this.#acceptsAny = true;
      this.#open(callback, [], waitsUntil);
    });
    this.options.connectionTimeoutMillis = this.#connectMs;
  }

  /** Limits the pool to its open sessions, because the server accepts no more connections. @returns whether any session is open. */
  #shareOpenSessions(error: Error): boolean {
    const open = [...this.sessions].filter(({ lost }) => !lost).length;
    if (open > 0 && this.#shortage.shrink(open)) this.emit('error', unavailable([error]));
    return open > 0;
  }

  /** Whether any session got an answer after `time`, on the clock of performance.now(). */
  answeredSince(time: number): boolean {
    return [...this.sessions].some(({ answeredAt }) => answeredAt > time);
  }

  async #prepare(client: pg.ClientBase, connectMs: number): Promise<void> {
    if (!(client instanceof Session)) throw new Error('the pool opens sessions only');
    const late = setTimeout(() => client.drop('the server did not answer a new connection in time'), connectMs);
    try {
      await client.prepare(this.#need === 'answers' && !this.#acceptsAny ? 'writes' : this.#need);
    } catch (error) {
      client.drop('the connection is not used');
      throw error;
    } finally {
      clearTimeout(late);
    }
    // Sessions of a server that has been replaced would read old data. Behind a pooler, different servers are normal, so none is dropped.
    for (const other of client.pooled ? [] : this.sessions) if (other.server !== client.server) other.drop('another server has taken over');
    this.sessions.add(client);
    client.once('end', () => this.sessions.delete(client));
  }

  #ask(config: string | pg.QueryConfig): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      this.#open((error, session) => {
        if (!session) {
          this.#waiting.delete(reject);
          return reject(error);
        }
        session.ask(config, (failure, result) => {
          this.#waiting.delete(reject);
          session.release();
          if (result) resolve(result);
          else reject(failure);
        });
      });
    });
  }
}

function unavailable(failures: readonly Error[]): DatabaseUnavailable {
  const [first, ...others] = failures;
  if (others.length > 0) return new DatabaseUnavailable(new AggregateError(failures));
  return first instanceof DatabaseUnavailable ? first : new DatabaseUnavailable(first);
}

/** How long the pool stays smaller after the server refused a connection, milliseconds. */
const GROW_AFTER_MS = 500;

/** Makes a pool of database sessions smaller while the database server has too few connections for all processes. */
class ConnectionShortage {
  readonly #pool: pg.Pool;
  readonly #size: number;
  /** When the pool may grow again, on the clock of performance.now(). */
  #growsAt = 0;

  /** @param size the configured maximum number of sessions. */
  constructor(pool: pg.Pool, size: number) {
    this.#pool = pool;
    this.#size = size;
  }

  /** Restores the size of the pool if enough time has passed since the last refused connection. */
  relax(): void {
    if (performance.now() >= this.#growsAt) this.#pool.options.max = this.#size;
  }

  /**
   * Closes one open session and limits the pool to the remaining ones, so that a process without any session can connect.
   * @param open the number of open sessions. The last one is never closed.
   * @returns false, without any change, if the pool has been made smaller a moment ago.
   */
  shrink(open: number): boolean {
    // If several requests find at the same time that the server has no connection left, only one idle session is closed.
    if (performance.now() < this.#growsAt) return false;
    this.#growsAt = performance.now() + GROW_AFTER_MS;
    this.#pool.options.max = Math.max(open - 1, 1);
    if (open > 1) this.#pool.connect((_error, session) => session?.release(true));
    return true;
  }
}
