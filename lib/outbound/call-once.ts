import { Agent, type Client, errors, request } from 'undici';
import { judgeUrl } from './address-rules';
import { Forbidden, MAX_HEADER_BYTES, NotConnected, type Vetting, vettedClient } from './vetted-client';

/** Reading an answer stops here: a receiver that sends a gigabyte costs this much. */
const ANSWER_MAX_BYTES = 16 * 1024;

export type OutboundErrorKind = 'refused' | 'name_not_found' | 'timeout' | 'reset' | 'tls' | 'forbidden' | 'other';

export interface OutboundAnswer {
  /** Null when no answer came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Why no answer came, or why its body was cut. `sent` is false only when the request certainly never left. */
  readonly error: { readonly kind: OutboundErrorKind; readonly detail: string; readonly sent: boolean } | null;
}

interface OutboundOptions {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
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
  let client: Client | undefined;
  try {
    if (vet) client = clientFor(url, vet, ended);
    const response = await request(url, {
      method,
      headers,
      dispatcher: client ?? agent,
      signal: ended,
      ...(body === undefined ? {} : { body }),
    });
    const answered = { status: response.statusCode, headers: flatten(response.headers) };
    const chunks: Uint8Array[] = [];
    try {
      await readSome(response.body, chunks);
      return { ...answered, body: joined(chunks), error: null };
    } catch (error) {
      return { ...answered, body: joined(chunks), error: { ...classify(error), sent: true } };
    }
  } catch (error) {
    return { status: null, headers: {}, body: new Uint8Array(), error: classify(error) };
  } finally {
    clearTimeout(timer);
    await client?.destroy();
  }
}

function clientFor(text: string, vet: Vetting, signal: AbortSignal): Client {
  const url = URL.parse(text);
  const refusal = url ? judgeUrl(url, vet.rules) : 'address';
  if (!url || refusal) throw new NotConnected(new Forbidden(refusal ?? 'address'));
  return vettedClient(url, vet, signal);
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

const KINDS: Readonly<Record<string, OutboundErrorKind>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ENODATA: 'name_not_found',
  ESERVFAIL: 'name_not_found',
  EREFUSED: 'name_not_found',
  EBADNAME: 'name_not_found',
  ETIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
};
/** Node checks a certificate before it lets anything be written. */
const BAD_CERTIFICATE = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT)/;

function classify(error: unknown): NonNullable<OutboundAnswer['error']> {
  if (error instanceof NotConnected) return { ...classify(error.cause), sent: false };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const detail = error instanceof Error ? error.message || code : String(error);
  return { kind: kindOf(error, code), sent: !isBeforeRequest(error, code), detail };
}

function kindOf(error: unknown, code: string): OutboundErrorKind {
  if (error instanceof Forbidden) return 'forbidden';
  if (BAD_CERTIFICATE.test(code) || /^ERR_(TLS|SSL)/.test(code)) return 'tls';
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return 'timeout';
  return KINDS[code] ?? 'other';
}

/** Whether the connection certainly never stood; an established one can die of nearly every code too. */
function isBeforeRequest(error: unknown, code: string): boolean {
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || BAD_CERTIFICATE.test(code) || error instanceof errors.InvalidArgumentError) return true;
  const attempts: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return (
    attempts.length > 0 &&
    attempts.every((one) => one instanceof Error && 'syscall' in one && (one.syscall === 'connect' || one.syscall === 'getaddrinfo'))
  );
}
