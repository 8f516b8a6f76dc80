import { Readable } from 'node:stream';
import { Agent, type Client, request } from 'undici';
import { judgeUrl } from './address-rules';
import { classifyError, type OutboundError } from './classify-error';
import { type CallTrace, Stopwatch } from './stopwatch';
import { Forbidden, MAX_HEADER_BYTES, NotConnected, type Vetting, vettedClient } from './vetted-client';

/** Reading an answer stops here: a receiver that sends a gigabyte costs this much. */
const ANSWER_MAX_BYTES = 16 * 1024;

export interface OutboundAnswer {
  /** Null when no answer came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Why no answer came, or why its body was cut. */
  readonly error: OutboundError | null;
  /** Of a call that is not vetted only the whole time is known. */
  readonly trace: CallTrace;
}

interface OutboundOptions {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  /** One that comes in pieces is sent as they come; with a `content-length` among the headers it is announced, else sent in chunks. */
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array>;
  /** One deadline over everything, milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** For an address that somebody else chose: what it may be. One that may not be called is `forbidden`. */
  readonly vet?: Vetting;
}

// No redirects are followed and no environment proxy is used; a connection is used once, so that nothing is shared between receivers.
const agent = new Agent({ pipelining: 0, keepAliveTimeout: 1, keepAliveMaxTimeout: 1, maxHeaderSize: MAX_HEADER_BYTES });

/** Makes one request, never throws for what the other side or the network does. */
export async function callOnce(
  url: string,
  { method = 'POST', headers, body, timeoutMs, signal, vet }: OutboundOptions,
): Promise<OutboundAnswer> {
  // Not AbortSignal.timeout: that one keeps everything that waits for it, sockets too, until its time has come.
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
