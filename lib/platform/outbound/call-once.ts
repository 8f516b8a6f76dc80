import { Readable } from 'node:stream';
import { buildConnector, Client, type Dispatcher, request } from 'undici';
import { refuseOnHold } from '@/lib/platform/hold/hold';
import { classifyError, type OutboundError } from './classify-error';
import { STRICT_TLS } from './dial';
import { type KeptConnection, type KeptConnections, mayRepeat } from './kept-connections';
import { type CallTrace, Stopwatch } from './stopwatch';
import { type CallContext, MAX_HEADER_BYTES, permittedUrl, prepareSocket, type Vetting, vettedConnection } from './vetted-client';

/** Maximum number of bytes that are read of an answer, however long it is. */
const ANSWER_MAX_BYTES = 16 * 1024;

export interface OutboundAnswer {
  /** Null if no answer came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Why no answer came, or why its body was cut. */
  readonly error: OutboundError | null;
  /** The steps of the call and their times. If the call has no option `vet`, only the total time is measured. */
  readonly trace: CallTrace;
}

interface OutboundOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  /** An iterable is sent piece by piece, with chunked encoding unless the headers contain `content-length`. */
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array>;
  /** Deadline for the whole call, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Only without `vet`: certificates (PEM) that are trusted for this call, instead of those of the system. */
  readonly ca?: string | undefined;
  /** Rules for a URL that a merchant has chosen. A call that they forbid fails with `forbidden`. */
  readonly vet?: Vetting;
  /** Only with `vet`: uses the kept connections of one endpoint. The request may then be sent twice, so `body` must not be an iterable. */
  readonly keepAlive?: { readonly connections: KeptConnections; readonly endpoint: string };
}

// The client follows no redirects and ignores proxy variables. It uses HTTP/1.1, because an HTTP/2 connection would stay open.
const CLIENT_OPTIONS = { pipelining: 1, maxHeaderSize: MAX_HEADER_BYTES, allowH2: false } as const;
/**
 * The error with which a connection is closed after its call. All calls share this one error: otherwise undici would create an error for
 * each call, and capturing a stack takes long.
 */
const USED = new Error('a connection is used for one call');
/**
 * The functions that open connections (connectors), by the certificates that they trust. A connector remembers TLS sessions, so the next
 * handshake with the same server is shorter. The map has one connector for the certificates of the system, and at most one for each
 * provider account that has certificates of its own.
 */
const connectors = new Map<string | undefined, buildConnector.connector>();

function connectorFor(ca: string | undefined): buildConnector.connector {
  const connect = connectors.get(ca) ?? buildConnector({ allowH2: false, ...STRICT_TLS, ...(ca !== undefined && { ca }) });
  connectors.set(ca, connect);
  return (options, done) =>
    connect(options, (...[error, socket]) => {
      if (error) return done(error, null);
      prepareSocket(socket);
      done(null, socket);
    });
}

/**
 * Makes one HTTP request. Returns failures of the network or the receiver as `error` and never throws for them. Throws OnHold while the copy
 * of the database is on hold, so that a call that was not made is never taken for one that failed.
 */
export async function callOnce(url: string, options: OutboundOptions): Promise<OutboundAnswer> {
  refuseOnHold();
  const { timeoutMs, signal } = options;
  // `AbortSignal.timeout` is not used: it would keep the call's sockets in memory until the timeout, even if the call ends earlier.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException(`not done within ${timeoutMs} ms`, 'TimeoutError')), timeoutMs);
  const ended = signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal;
  const watch = new Stopwatch();
  try {
    return await call(url, options, { signal: ended, watch });
  } catch (error) {
    return { status: null, headers: {}, body: new Uint8Array(), error: classifyError(error, watch.stage), trace: watch.read() };
  } finally {
    clearTimeout(timer);
  }
}

async function call(text: string, options: OutboundOptions, context: CallContext): Promise<OutboundAnswer> {
  const { vet, keepAlive, ca } = options;
  const url = vet ? permittedUrl(text, vet) : new URL(text);
  if (vet && keepAlive) return callKept(url, { ...options, vet, keepAlive }, context);
  const client = vet
    ? vettedConnection(url, vet, context).client
    : new Client(url.origin, { ...CLIENT_OPTIONS, connect: connectorFor(ca) });
  try {
    return (await exchange(text, options, { dispatcher: client, ...context })).answer;
  } finally {
    await client.destroy(USED);
  }
}

/** Calls over a kept connection. If the receiver has closed the connection, or if there is none, opens a new one. */
async function callKept(
  url: URL,
  options: OutboundOptions & Required<Pick<OutboundOptions, 'vet' | 'keepAlive'>>,
  context: CallContext,
): Promise<OutboundAnswer> {
  const { connections, endpoint } = options.keepAlive;
  const kept = await connections.take(endpoint, url, options.vet, context);
  if (kept) {
    try {
      const answer = await exchangeOn(kept);
      // 408 on a kept connection means that it was idle for too long: RFC 9110, 15.5.9.
      if (answer.status !== 408) return answer;
    } catch (error) {
      if (context.signal.aborted || !mayRepeat(kept, error)) throw error;
    }
    context.watch.discard();
  }
  return exchangeOn(connections.open(endpoint, url, options.vet, context));

  async function exchangeOn(connection: KeptConnection): Promise<OutboundAnswer> {
    let isWhole = false;
    try {
      const done = await exchange(url.href, options, { dispatcher: connection.client, ...context });
      isWhole = done.isWhole;
      return done.answer;
    } finally {
      if (isWhole) connections.keep(connection);
      else await connections.drop(connection);
    }
  }
}

/** Sends the request and reads the response. `isWhole` is whether the response was read completely. */
async function exchange(
  url: string,
  { method = 'POST', headers, body }: OutboundOptions,
  { dispatcher, signal, watch }: CallContext & { readonly dispatcher: Dispatcher },
): Promise<{ readonly answer: OutboundAnswer; readonly isWhole: boolean }> {
  const response = await request(url, { method, headers, dispatcher, signal, ...(body === undefined ? {} : { body: sendable(body) }) });
  watch.enter('body');
  const answered = { status: response.statusCode, headers: flatten(response.headers) };
  const chunks: Uint8Array[] = [];
  try {
    const isWhole = await readSome(response.body, chunks);
    return { answer: { ...answered, body: joined(chunks), error: null, trace: watch.read() }, isWhole };
  } catch (error) {
    const failure = { ...classifyError(error, watch.stage), sent: true };
    return { answer: { ...answered, body: joined(chunks), error: failure, trace: watch.read() }, isWhole: false };
  }
}

function sendable(body: Uint8Array | string | AsyncIterable<Uint8Array>): Uint8Array | string | Readable {
  return typeof body === 'string' || body instanceof Uint8Array ? body : Readable.from(body, { objectMode: false });
}

/** Reads a body up to the limit. Returns whether the body ended before the limit. */
async function readSome(body: AsyncIterable<Uint8Array>, chunks: Uint8Array[]): Promise<boolean> {
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= ANSWER_MAX_BYTES) return false;
  }
  return true;
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(chunks).subarray(0, ANSWER_MAX_BYTES));
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
