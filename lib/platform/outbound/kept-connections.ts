import { setImmediate as nextTurn } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { ResolvedName } from './resolve-name';
import {
  type CallContext,
  Forbidden,
  hideInterimAnswers,
  NotConnected,
  type VettedConnection,
  type Vetting,
  vettedAddresses,
  vettedConnection,
} from './vetted-client';

/** Common servers close idle connections after 5 seconds or more. If the header `Keep-Alive` says otherwise, undici follows it. */
const IDLE = { idleMs: 4 * SECOND_MS, maxIdleMs: 30 * SECOND_MS };
/** The age from which a connection is not used any more. New connections check the certificate again. */
const MAX_AGE_MS = 5 * MINUTE_MS;
/** The maximum number of parallel calls of an endpoint. They often end at the same time, so all their connections become idle together. */
const MAX_IDLE_PER_ENDPOINT = 32;
/** Enough for all calls of a worker, which makes at most 100 at once. */
const MAX_IDLE = 128;

/** A connection, and the only endpoint that may use it. */
export interface KeptConnection extends VettedConnection {
  readonly key: string;
  readonly openedAt: number;
  /** How many bytes the socket had received in all when the last response ended. */
  bytesRead: number;
}

/**
 * Keeps connections to receivers open between calls. These rules make it safe:
 *
 * 1. A connection belongs to one endpoint and one origin (protocol, host and port). So merchants and environments share no connection.
 * 2. The addresses of a name are checked before each call. When the TTL of its DNS records has passed (at least 5 and at most 60
 *    seconds), the name is resolved again before the next call. An idle connection to an address that is no longer among the results is
 *    closed. If one address is forbidden, all idle connections of the endpoint are closed.
 * 3. A connection carries one request at a time. It is kept only if the request was sent and the response was read completely. The
 *    caller destroys it after a timeout, an abort, a truncated body or any error.
 * 4. A connection that has received bytes while it was idle is destroyed, because they could be taken for the next response. To notice
 *    such bytes, each use waits for two turns of the event loop, one here and one in undici. In each turn, Node reads the socket.
 * 5. If a kept connection fails before any byte of the response has come, the receiver has probably closed it while it was idle. The caller
 *    repeats the request once on a new connection. This is safe: a repeated webhook has the same id, and receivers must expect it.
 * 6. Idle connections are limited in time and number. The least recently used one is closed first.
 */
export class KeptConnections {
  /** The least recently used connection is the first. */
  readonly #idle = new Set<KeptConnection>();
  readonly #names: PinnedNames;
  readonly #now: () => number;
  #closed = false;

  /** @param now a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#names = new PinnedNames(now);
  }

  get idleCount(): number {
    return this.#idle.size;
  }

  /** Returns an idle connection of the endpoint, or null. Throws NotConnected if the host name is not found or an address is forbidden. */
  async take(endpoint: string, url: URL, vet: Vetting, call: CallContext): Promise<KeptConnection | null> {
    const key = keyOf(endpoint, url);
    const { addresses } = await this.#resolve(key, url, vet, call);
    const found = this.#newest(key, addresses);
    if (!found) return null;
    this.#idle.delete(found);
    await nextTurn();
    if (!isUsable(found)) {
      await found.client.destroy();
      return null;
    }
    if (found.socket) hideInterimAnswers(found.socket);
    call.watch.discard();
    call.watch.address = found.address;
    call.watch.enter('answer');
    return found;
  }

  /** Returns a new connection of the endpoint. It connects with the first request. */
  open(endpoint: string, url: URL, vet: Vetting, call: CallContext): KeptConnection {
    const key = keyOf(endpoint, url);
    const opened = vettedConnection(url, vet, call, { keepAlive: IDLE, pinned: this.#names.get(key) });
    const connection = Object.assign(opened, { key, openedAt: this.#now(), bytesRead: 0 });
    opened.client.once('disconnect', () => this.#idle.delete(connection));
    return connection;
  }

  /** Keeps a connection as idle after its response was read completely. If the request was not sent completely, destroys the connection. */
  keep(connection: KeptConnection): void {
    connection.bytesRead = connection.socket?.bytesRead ?? 0;
    // TLS reports a completed write only in the next turn of the event loop.
    setImmediate(() => {
      if (this.#closed || !isUsable(connection)) return this.#destroy(connection);
      this.#idle.add(connection);
      const own = [...this.#idle].filter(({ key }) => key === connection.key);
      for (const one of own.slice(0, -MAX_IDLE_PER_ENDPOINT)) this.#destroy(one);
      const [oldest] = this.#idle;
      if (this.#idle.size > MAX_IDLE && oldest) this.#destroy(oldest);
    });
  }

  /** Destroys a connection that failed. If it was never established, the next call resolves the host name again. */
  async drop(connection: KeptConnection): Promise<void> {
    if (!connection.socket) this.#names.delete(connection.key);
    await connection.client.destroy();
  }

  /** Closes the idle connections. Those in use are closed when their call ends. */
  close(): void {
    this.#closed = true;
    for (const one of this.#idle) this.#destroy(one);
  }

  async #resolve(key: string, url: URL, vet: Vetting, call: CallContext): Promise<ResolvedName> {
    const pinned = this.#names.get(key);
    try {
      const resolved = await vettedAddresses(url, vet, call, pinned);
      if (!pinned) this.#names.set(key, resolved);
      return resolved;
    } catch (error) {
      this.#names.delete(key);
      if (error instanceof Forbidden) for (const one of this.#idle) if (one.key === key) this.#destroy(one);
      throw new NotConnected(error);
    }
  }

  /** Returns the most recently used idle connection of an endpoint, and closes those that are too old or have another address. */
  #newest(key: string, addresses: readonly string[]): KeptConnection | null {
    let newest: KeptConnection | null = null;
    for (const one of this.#idle) {
      if (one.key !== key) continue;
      const isCurrent = one.address !== null && addresses.includes(one.address) && this.#now() - one.openedAt < MAX_AGE_MS;
      if (isCurrent) newest = one;
      else this.#destroy(one);
    }
    return newest;
  }

  #destroy(connection: KeptConnection): void {
    this.#idle.delete(connection);
    connection.client.destroy().catch(() => undefined);
  }
}

/** Returns whether a request that failed on a kept connection may be repeated: only if no byte of its response has come. */
export function mayRepeat({ socket, bytesRead }: KeptConnection, error: unknown): boolean {
  return error instanceof NotConnected || socket?.bytesRead === bytesRead;
}

function keyOf(endpoint: string, url: URL): string {
  return `${endpoint} ${url.origin}`;
}

function isUsable({ socket, bytesRead }: KeptConnection): boolean {
  return socket !== null && !socket.destroyed && socket.writable && socket.writableLength === 0 && socket.bytesRead === bytesRead;
}

/** The shortest and the longest time in milliseconds until a name is resolved again. Between them, the TTL of its DNS records applies. */
const NAME_MIN_MS = 5 * SECOND_MS;
const NAME_MAX_MS = 60 * SECOND_MS;
const MAX_NAMES = 1_000;

/** Remembers the addresses of names until the TTL of their DNS records has passed. */
class PinnedNames {
  readonly #names = new Map<string, ResolvedName & { readonly until: number }>();
  readonly #now: () => number;

  /** @param now a monotonic clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): ResolvedName | undefined {
    const name = this.#names.get(key);
    return name && this.#now() < name.until ? name : undefined;
  }

  set(key: string, resolved: ResolvedName): void {
    const lifetime = Math.min(Math.max(resolved.ttlMs, NAME_MIN_MS), NAME_MAX_MS);
    this.#names.delete(key);
    this.#names.set(key, { ...resolved, until: this.#now() + lifetime });
    const [oldest] = this.#names.keys();
    if (this.#names.size > MAX_NAMES && oldest !== undefined) this.#names.delete(oldest);
  }

  delete(key: string): void {
    this.#names.delete(key);
  }
}
