import pg from 'pg';
import { hostUrls } from '@/lib/config/database-url';
import { columnTypes } from './column-types';
import { Crowding } from './crowding';
import { DatabaseUnavailable, isCrowded } from './errors';
import { Session, type SessionNeed } from './session';

type PooledSession = pg.PoolClient & Session;
type Connected = (error: Error | undefined, client: PooledSession | undefined, done: (release?: unknown) => void) => void;

interface SessionPoolOptions {
  /** May name several hosts: the first one that can be written to is used until it fails. */
  readonly url: string;
  readonly size: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly need: SessionNeed;
  /** How long opening a connection, or waiting for a free one, may take, milliseconds. */
  readonly connectMs: number;
}

/** What the pool says when no connection became free in time. */
const WAITED = 'timeout exceeded when trying to connect';

/** A pool of prepared sessions. Whatever keeps it from giving or using one is thrown as DatabaseUnavailable. */
export class SessionPool extends pg.Pool {
  readonly sessions = new Set<Session>();
  readonly #urls: readonly string[];
  readonly #need: SessionNeed;
  /** The host that new connections go to. */
  #host = 0;
  /** Whether a read-only host will do, because none of several can be written to. */
  #acceptsAny: boolean;
  readonly #connectMs: number;
  readonly #crowding: Crowding;

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
    this.#crowding = new Crowding(this, size);
    this.#acceptsAny = this.#urls.length === 1;
    Object.assign(this, { query: (config: string | pg.QueryConfig) => this.#ask(config) });
  }

  /** The address of one host: the one that new connections go to. */
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

  /** Opens a connection to the current host, or else to each of the others. */
  #open(callback: Connected, failures: readonly Error[] = [], waitsUntil = performance.now() + this.#connectMs): void {
    const host = this.#host;
    this.#crowding.relax();
    super.connect((error, client, done) => {
      if (client instanceof Session) return callback(undefined, client, done);
      const all = [...failures, error ?? new Error('the pool opens sessions only')];
      // No free connection: no host has failed.
      if (error?.message === WAITED) return callback(unavailable(all), undefined, done);
      const mayWait = isCrowded(error) && performance.now() < waitsUntil;
      if (error && mayWait && this.#makesDo(error)) return this.#open(callback, failures, waitsUntil);
      // Several that fail at once must not skip a host.
      if (this.#host === host) this.#host = (host + 1) % this.#urls.length;
      if (all.length < this.#urls.length) return this.#open(callback, all, waitsUntil);
      if (this.#acceptsAny || this.#need !== 'answers') return callback(unavailable(all), undefined, done);
      this.#acceptsAny = true;
      this.#open(callback, [], waitsUntil);
    });
  }

  /** Makes do with the sessions that are open: the server has no connection for another one. @returns whether there are any. */
  #makesDo(error: Error): boolean {
    const open = [...this.sessions].filter(({ lost }) => !lost).length;
    if (open > 0 && this.#crowding.shrink(open)) this.emit('error', unavailable([error]));
    return open > 0;
  }

  /** Whether any session has got an answer since a time on performance.now()'s clock. */
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
    // The sessions of a server that has been replaced would read what is no longer true. A pooler may have several servers.
    for (const other of client.pooled ? [] : this.sessions) if (other.server !== client.server) other.drop('another server has taken over');
    this.sessions.add(client);
    client.once('end', () => this.sessions.delete(client));
  }

  #ask(config: string | pg.QueryConfig): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.#open((error, session) => {
        if (!session) return reject(error);
        session.ask(config, (failure, result) => {
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
