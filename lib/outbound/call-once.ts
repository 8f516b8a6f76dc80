import { Readable } from 'node:stream';
import { Agent, type Client, request } from 'undici';
import { judgeUrl } from './address-rules';
import { classifyError, type OutboundError } from './classify-error';
import { type CallTrace, Stopwatch } from './stopwatch';
import { Forbidden, MAX_HEADER_BYTES, NotConnected, type Vetting, vettedClient } from './vetted-client';

/** Maximum number of bytes that are read of an answer, however long it is. */
const ANSWER_MAX_BYTES = 16 * 1024;

export interface OutboundAnswer {
  /** Null if no answer came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Why no answer came, or why its body was cut. */
  readonly error: OutboundError | null;
  /** Without `vet`, only the total time is known. */
  readonly trace: CallTrace;
}

interface OutboundOptions {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  /** An iterable is sent piece by piece, with chunked encoding unless the headers contain `content-length`. */
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array>;
  /** Deadline for the whole call, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Rules for a URL that a merchant has chosen. A call that they forbid fails with `forbidden`. */
  readonly vet?: Vetting;
}

// Follows no redirects and ignores proxy variables. Each connection is used once, so that receivers share nothing.
const agent = new Agent({ pipelining: 0, keepAliveTimeout: 1, keepAliveMaxTimeout: 1, maxHeaderSize: MAX_HEADER_BYTES });

/** Makes one HTTP request. Returns failures of the network or the receiver as `error` and never throws for them. */
export async function callOnce(
  url: string,
  { method = 'POST', headers, body, timeoutMs, signal, vet }: OutboundOptions,
): Promise<OutboundAnswer> {
  // AbortSignal.timeout would keep sockets and other listeners in memory until the time has passed, even if the call ended before.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException(`not done within ${timeoutMs} ms`, 'TimeoutError')), timeoutMs);
  const ended = signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal;
  const watch = new Stopwatch();
  let client: Client | undefined;
  try {
    if (vet) client = clientFor(url, vet, { signal: ended, watch });
    const response = await request(url, {
      method,
      headers,
      dispatcher: client ?? agent,
      signal: ended,
      ...(body === undefined ? {} : { body: sendable(body) }),
    });
    watch.enter('body');
    const answered = { status: response.statusCode, headers: flatten(response.headers) };
    const chunks: Uint8Array[] = [];
    try {
      await readSome(response.body, chunks);
      return { ...answered, body: joined(chunks), error: null, trace: watch.read() };
    } catch (error) {
      return { ...answered, body: joined(chunks), error: { ...classifyError(error, watch.stage), sent: true }, trace: watch.read() };
    }
  } catch (error) {
    return { status: null, headers: {}, body: new Uint8Array(), error: classifyError(error, watch.stage), trace: watch.read() };
  } finally {
    clearTimeout(timer);
    await client?.destroy();
  }
}

function clientFor(text: string, vet: Vetting, call: { readonly signal: AbortSignal; readonly watch: Stopwatch }): Client {
  const url = URL.parse(text);
  const refusal = url ? judgeUrl(url, vet.rules) : 'address';
  if (!url || refusal) throw new NotConnected(new Forbidden(refusal ?? 'address'));
  return vettedClient(url, vet, call);
}

function sendable(body: Uint8Array | string | AsyncIterable<Uint8Array>): Uint8Array | string | Readable {
  return typeof body === 'string' || body instanceof Uint8Array ? body : Readable.from(body, { objectMode: false });
}

async function readSome(body: AsyncIterable<Uint8Array>, chunks: Uint8Array[]): Promise<void> {
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= ANSWER_MAX_BYTES) break;
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(chunks).subarray(0, ANSWER_MAX_BYTES));
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
