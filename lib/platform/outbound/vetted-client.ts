import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type buildConnector, Client } from 'undici';
import { type AddressRules, judgeAddresses, judgeUrl, knownAddresses, REFUSALS, type Refusal } from './address-rules';
import { dial } from './dial';
import { type ResolvedName, type ResolveName, systemNameServers } from './resolve-name';
import type { Stopwatch } from './stopwatch';

/** Restricts a call to the addresses that the rules allow. The URL is checked first, and then the addresses of its host name. */
export interface Vetting {
  readonly rules: AddressRules;
  /** By default, the name servers of the system resolve names. */
  readonly resolve?: ResolveName;
}

/** The rules forbid the call. */
export class Forbidden extends Error {
  constructor(refusal: Refusal) {
    super(`the address ${REFUSALS[refusal]}`);
  }
}

/** The connection was not established, so nothing was sent. `cause` says why. */
export class NotConnected extends Error {
  constructor(override readonly cause: unknown) {
    super('no connection');
  }
}

/** Maximum size of the response headers. A call with larger ones fails. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** An interim answer, and the beginning of one. 101 is the end of an answer: it would change the protocol. */
const INTERIM = /^HTTP\/1\.1 1(?!01)\d\d.*?\r\n\r\n/s;
const INTERIM_BEGIN = /^HTTP\/1\.1 1(?!01)\d\d/;
const INTERIM_BEGIN_LENGTH = 'HTTP/1.1 1xx'.length;

/**
 * Prepares a new connection for undici. A TLS alert that comes after the handshake destroys the connection, so that the call fails with the
 * alert. Otherwise undici would report only that the other side has closed the connection.
 */
export function prepareSocket(socket: Socket): void {
  socket.prependOnceListener('error', (error) => socket.destroy(error));
  hideInterimAnswers(socket);
}

/**
 * Hides interim answers (1xx) of the next response from undici, which destroys the connection at an unrequested `100 Continue`. A client
 * must be able to read it (RFC 9110, 15.2). Call the function for each response, before its first byte.
 */
export function hideInterimAnswers(socket: Socket): void {
  let held: Buffer | null = Buffer.alloc(0);
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: unknown = Readable.prototype.read.call(socket, size);
      if (held === null || !Buffer.isBuffer(chunk)) return chunk;
      held = withoutInterim(Buffer.concat([held, chunk]));
      const text = held.toString('latin1', 0, INTERIM_BEGIN_LENGTH);
      const isUndecided = text.length < INTERIM_BEGIN_LENGTH ? 'HTTP/1.1 1'.startsWith(text.slice(0, 10)) : INTERIM_BEGIN.test(text);
      if (isUndecided && held.length <= MAX_HEADER_BYTES) continue;
      const begin = held;
      held = null;
      return begin;
    }
  };
}

function withoutInterim(bytes: Buffer): Buffer {
  const [interim] = INTERIM.exec(bytes.toString('latin1')) ?? [];
  return interim === undefined ? bytes : withoutInterim(bytes.subarray(interim.length));
}

export interface CallContext {
  readonly signal: AbortSignal;
  readonly watch: Stopwatch;
}

/** One connection. The first request opens it; the client never opens another. */
export interface VettedConnection {
  readonly client: Client;
  /** Null until the connection is established. */
  readonly socket: Socket | null;
  /** The address to which the client has connected: one of those to which the host name was resolved. Null until then. */
  readonly address: string | null;
}

interface ConnectionOptions {
  /** The result of an earlier resolution. Its addresses are checked again. */
  readonly pinned?: ResolvedName | undefined;
  /**
   * The client closes the connection after `idleMs` milliseconds without a request. If the server's header Keep-Alive names another time,
   * that time counts, up to `maxIdleMs`. If `keepAlive` is absent, the connection is used once.
   */
  readonly keepAlive?: { readonly idleMs: number; readonly maxIdleMs: number };
}

/** Parses a URL and checks it before its host name is resolved. Throws NotConnected if it is invalid or if the rules forbid it. */
export function permittedUrl(text: string, { rules }: Vetting): URL {
  const url = URL.parse(text);
  const refusal = url ? judgeUrl(url, rules) : 'address';
  if (!url || refusal) throw new NotConnected(new Forbidden(refusal ?? 'address'));
  return url;
}

/** Resolves the host of a call, unless `pinned` contains its addresses, and checks all addresses. Throws Forbidden if one is forbidden. */
export async function vettedAddresses(
  target: Pick<URL, 'protocol' | 'hostname' | 'port'>,
  { rules, resolve = systemNameServers.resolve }: Vetting,
  { signal, watch }: CallContext,
  pinned?: ResolvedName,
): Promise<ResolvedName> {
  const known = knownAddresses(target.hostname);
  if (!known && !pinned) watch.enter('name');
  const resolved = known ? { addresses: known, ttlMs: 0 } : (pinned ?? (await resolve(target.hostname, signal)));
  watch.enter('connect');
  const refusal = judgeAddresses(resolved.addresses, target, rules);
  if (refusal) throw new Forbidden(refusal);
  return resolved;
}

/**
 * Creates a connection for one call; with `keepAlive`, later calls can use it too. Its connector resolves the host name once, fails if any
 * of the addresses is forbidden, and connects only to the checked addresses. The certificate must be valid for the host name. The addresses
 * are not checked in a `lookup` function, because undici calls it only for host names, not for IP addresses. The caller must destroy the
 * client.
 */
export function vettedConnection(
  url: URL,
  vet: Vetting,
  call: CallContext,
  { pinned, keepAlive }: ConnectionOptions = {},
): VettedConnection {
  let socket: Socket | null = null;
  let address: string | null = null;
  let started = false;
  const connect: buildConnector.connector = (target, done) => {
    openSocket(target).then(
      (opened) => done(null, opened),
      (cause) => done(new NotConnected(cause), null),
    );
  };

  async function openSocket(target: buildConnector.Options): Promise<Socket> {
    // If the receiver closes a kept connection, undici calls this function again, but with the signal and the addresses of the first call.
    if (started) throw new Error('the receiver has closed the connection');
    started = true;
    const { addresses } = await vettedAddresses(target, vet, call, pinned);
    socket = await dial(target, { addresses, ...call });
    prepareSocket(socket);
    address = call.watch.address;
    call.watch.enter('answer');
    return socket;
  }

  const client = new Client(url.origin, {
    pipelining: keepAlive ? 1 : 0,
    ...(keepAlive ? { keepAliveTimeout: keepAlive.idleMs, keepAliveMaxTimeout: keepAlive.maxIdleMs } : {}),
    maxHeaderSize: MAX_HEADER_BYTES,
    allowH2: false,
    connect,
  });
  return {
    client,
    get socket() {
      return socket;
    },
    get address() {
      return address;
    },
  };
}
