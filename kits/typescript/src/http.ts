import { BiliApiError, BiliConnectionError, BiliError } from './errors.ts';
import { fields } from './fields.ts';

export interface Options {
  /** The address of Bili, for example `https://pay.example.com`. */
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  /** How long to wait for each answer. Default: 15 seconds. */
  readonly timeoutMs?: number;
  /** How often a request is repeated at most. Default: 4. */
  readonly maxRetries?: number;
  /** The pause before the first retry; it doubles with each retry. Default: 500 ms. */
  readonly retryPauseMs?: number;
  /** The longest `Retry-After` to wait for. With a longer one, the error is thrown at once. Default: 60 seconds. */
  readonly maxRetryAfterMs?: number;
  /**
   * Allows plain HTTP to other hosts than this machine, for example in a private network. Others in that network can then read the secret.
   */
  readonly allowHttp?: boolean;
  /** For tests: what happens to each request in the sandbox, such as `declined` or `rate-limited`. Live ignores it. */
  readonly scenario?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** The path below `/api/v3`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  /** An object, or JSON as text. */
  readonly body?: string | object;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal | undefined;
}

const PAUSE_MAX_MS = 8_000;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Sends requests to Bili, and repeats those that can succeed later. */
export class Http {
  readonly #base: string;
  readonly #headers: Headers;
  readonly #options: Required<Pick<Options, 'timeoutMs' | 'maxRetries' | 'retryPauseMs' | 'maxRetryAfterMs' | 'fetch'>>;

  constructor({ baseUrl, keyId, secret, scenario, allowHttp = false, ...options }: Options) {
    const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
    if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && (allowHttp || LOOPBACK.test(url.hostname))))
      throw new BiliError(
        'baseUrl must begin with https://, for example https://pay.example.com, because every request carries the secret. ' +
          'http:// works for this machine (http://localhost:3001); for other hosts, it needs allowHttp.',
      );
    // A value that was read from a file often ends with a line break.
    const [id, password] = [keyId, secret].map((value) => String(value ?? '').trim());
    if (!id || !password || !/^[!-~]+$/.test(id + password))
      throw new BiliError('keyId and secret are required, and contain no spaces or line breaks');
    this.#base = `${url.origin}${url.pathname.replace(/(\/api\/v3)?\/*$/, '')}/api/v3`;
    this.#headers = new Headers({
      authorization: `ApiKey ${id}:${password}`,
      accept: 'application/json',
      'user-agent': 'bili-typescript/0.1.0',
    });
    if (scenario !== undefined) this.#headers.set('bili-sandbox-scenario', printable(scenario, 'scenario'));
    const { timeoutMs = 15_000, maxRetries = 4, retryPauseMs = 500, maxRetryAfterMs = 60_000, fetch = globalThis.fetch } = options;
    this.#options = { timeoutMs, maxRetries, retryPauseMs, maxRetryAfterMs, fetch };
  }

  /**
   * Sends a request until it is answered.
   * @throws BiliApiError if Bili refuses it, or fails after the last retry
   * @throws BiliConnectionError if no answer came after the last retry
   */
  async send<Result>(request: ApiRequest, read: (json: unknown, headers: Headers) => Result): Promise<Result> {
    for (let retry = 0; ; retry += 1) {
      try {
        const { json, headers } = await this.#sendOnce(request);
        return read(json, headers);
      } catch (error) {
        const pause = this.#pauseBefore(retry, error);
        if (pause === null) throw error;
        await sleep(pause, request.signal);
      }
    }
  }

  /** @returns the pause before the next retry in milliseconds, or null if there is none. */
  #pauseBefore(retry: number, error: unknown): number | null {
    const { maxRetries, retryPauseMs, maxRetryAfterMs } = this.#options;
    if (retry >= maxRetries) return null;
    // The pause is random, so that clients that failed at the same time do not retry at the same time.
    const pause = Math.min(PAUSE_MAX_MS, retryPauseMs * 2 ** retry) * (0.5 + Math.random() / 2);
    if (error instanceof BiliConnectionError) return pause;
    if (!(error instanceof BiliApiError) || !error.retryable) return null;
    if (error.retryAfterMs === null) return pause;
    return error.retryAfterMs > maxRetryAfterMs ? null : error.retryAfterMs + pause * 0.2;
  }

  async #sendOnce({ method, path, query = {}, body, idempotencyKey, signal }: ApiRequest): Promise<{ json: unknown; headers: Headers }> {
    const url = new URL(`${this.#base}/${path.replace(/^\//, '')}`);
    for (const [name, value] of Object.entries(query)) if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
    const headers = new Headers(this.#headers);
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (idempotencyKey !== undefined) headers.set('idempotency-key', printable(idempotencyKey, 'The Idempotency-Key'));
    const timeout = AbortSignal.timeout(this.#options.timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await this.#options.fetch(url, {
        method,
        headers,
        body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
        // A redirect could lead the secret to another server.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      const cause = timeout.aborted ? `no answer within ${this.#options.timeoutMs} ms` : 'the connection failed';
      throw new BiliConnectionError(`${method} ${url.pathname}: ${cause}`, { cause: error });
    }
    const json = parse(text);
    if (response.ok && json !== undefined) return { json, headers: response.headers };
    throw apiError(response, json);
  }
}

function apiError({ status, headers }: Response, json: unknown): BiliApiError {
  const message = typeof json === 'object' && json !== null && !Array.isArray(json) ? fields(json).error : undefined;
  return new BiliApiError({
    status,
    message: typeof message === 'string' ? message : `The server answered ${status} without JSON. Check the base URL.`,
    code: headers.get('bili-error'),
    requestId: headers.get('x-request-id'),
    retryAfterMs: parseRetryAfter(headers.get('retry-after')),
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks the value of a header. The error does not show it: it could be the secret. */
function printable(value: string, name: string): string {
  if (!/^[ -~]{1,255}$/.test(value)) throw new BiliError(`${name} must be 1 to 255 printable ASCII characters`);
  return value;
}

/** Reads seconds or an HTTP date. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : Math.max(0, time - Date.now());
}

/** Waits. Rejects with the reason of the signal as soon as it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
