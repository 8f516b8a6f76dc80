import type { Failure } from '@/lib/core/failure';
import { fail, type Result } from '@/lib/core/result';
import type { Scope } from '@/lib/core/scope';
import type { KeyAuthenticator } from '@/lib/keys/authenticate-key';
import type { StoredKey } from '@/lib/keys/rules';
import type { RequestLimits } from '@/lib/limits/request-limits';
import type { Log } from '@/lib/log/log';
import type { Runtime } from '@/lib/runtime/runtime';
import { type JsonObject, parseJsonObject, readBody } from './body';
import { type EnvironmentFinder, queryOf } from './request-facts';

export const API_BODY_MAX_BYTES = 64 * 1024;
const PRINTABLE_ASCII = /^[\x20-\x7e]{1,255}$/;

/** What the API needs of the process. */
export interface ApiRuntime extends Runtime {
  readonly keys: KeyAuthenticator;
  readonly environmentOf: EnvironmentFinder;
  readonly limits: RequestLimits;
  /** @returns the caller's address, as far as the trusted proxies say. */
  readonly addressOf: (headers: Headers) => string | null;
  /** For the one line that each request leaves. */
  readonly requestLog: Log;
}

/** A request that passed every check before the handler. */
interface ApiCall<Input> {
  readonly runtime: ApiRuntime;
  readonly scope: Scope;
  readonly key: StoredKey;
  /** The decoded segments that the path names with a colon. */
  readonly params: Readonly<Record<string, string>>;
  readonly input: Input;
  readonly idempotencyKey: string | null;
  /** Gives the request's place in the line of the sandbox to another one: for a request that only waits. */
  readonly leaveLine: () => void;
}

export interface ApiAnswer {
  /** JSON text: exact bytes, because amounts are written by our own rule. */
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the request's line in the log names beside the merchant, so that a payment can be followed through all lines. */
  readonly about?: { readonly billId?: string; readonly ourReference?: string | null };
}

interface BodyInput<Input> {
  /** The member whose number must not be rounded. */
  readonly exactMember: string;
  readonly check: (body: JsonObject, runtime: Runtime) => Result<Input, Failure>;
}

interface QueryInput<Input> {
  readonly checkQuery: (query: URLSearchParams) => Result<Input, Failure>;
}

/** One route, declared: who may call it, what it takes, and the handler. */
interface ApiRouteOptions<Input> {
  readonly method: 'GET' | 'POST';
  /** Below the prefix: `bills/:id`. A literal segment wins over a named one. */
  readonly path: string;
  /** Whether a suspended merchant may still call it. */
  readonly whileSuspended: boolean;
  /** Checks what is sent; null where the route takes nothing. */
  readonly input: BodyInput<Input> | QueryInput<Input> | null;
  readonly handler: (call: ApiCall<Input>) => Promise<Result<ApiAnswer, Failure>>;
}

export interface ApiRoute {
  readonly method: 'GET' | 'POST';
  readonly segments: readonly string[];
  readonly whileSuspended: boolean;
  readonly run: (call: Omit<ApiCall<null>, 'input' | 'idempotencyKey'>, request: Request) => Promise<Result<ApiAnswer, Failure>>;
}

export function apiRoute<Input = null>({ method, path, whileSuspended, input, handler }: ApiRouteOptions<Input>): ApiRoute {
  return {
    method,
    segments: path.split('/'),
    whileSuspended,
    async run(call, request) {
      if (input === null) return handler({ ...call, input: null as Input, idempotencyKey: null });
      if ('checkQuery' in input) {
        const query = input.checkQuery(queryOf(request.url));
        return query.ok ? handler({ ...call, input: query.value, idempotencyKey: null }) : query;
      }
      const type = request.headers.get('content-type');
      if (type !== null && !/^\s*application\/json\s*(;|$)/i.test(type)) return fail({ code: 'content_type_unsupported' });
      const encoding = request.headers.get('content-encoding');
      if (encoding !== null && encoding.toLowerCase() !== 'identity') return fail({ code: 'content_encoding_unsupported' });
      const body = await readBody(request, API_BODY_MAX_BYTES);
      if (!body.ok) return fail({ code: body.error });
      const idempotencyKey = request.headers.get('idempotency-key');
      if (idempotencyKey !== null && !PRINTABLE_ASCII.test(idempotencyKey)) return fail({ code: 'idempotency_key_malformed' });
      const json = parseJsonObject(body.value, input.exactMember);
      if (!json.ok) return fail({ code: json.error });
      const checked = input.check(json.value, call.runtime);
      return checked.ok ? handler({ ...call, input: checked.value, idempotencyKey }) : checked;
    },
  };
}
