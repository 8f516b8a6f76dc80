import type { Environment, Runtime, Scope } from '@/lib/config/runtime';
import type { Failure, FailureCode } from '@/lib/core/failure';
import { fail, type Result } from '@/lib/core/result';
import { isDatabaseUnavailable } from '@/lib/db/database';
import type { KeyAuthenticator, KeyRefusal } from '@/lib/keys/authenticate-key';
import type { StoredKey } from '@/lib/keys/rules';
import type { Log } from '@/lib/log/log';
import { type JsonObject, parseJsonObject, readBody } from './body';
import { failureResponse, jsonResponse } from './errors';
import { type EnvironmentFinder, pathOf, queryOf, requestId } from './request-facts';

export const API_BODY_MAX_BYTES = 64 * 1024;
const PRINTABLE_ASCII = /^[\x20-\x7e]{1,255}$/;

/** What the API needs of the process. */
export interface ApiRuntime extends Runtime {
  readonly keys: KeyAuthenticator;
  readonly environmentOf: EnvironmentFinder;
  /** @returns the caller's address, as far as the trusted proxies say. */
  readonly addressOf: (headers: Headers) => string | null;
  /** For the one line that each request leaves. */
  readonly requestLog: Log;
}

/** A request that passed every check before the handler. */
export interface ApiCall<Input> {
  readonly runtime: ApiRuntime;
  readonly scope: Scope;
  readonly key: StoredKey;
  /** The decoded segments that the path names with a colon. */
  readonly params: Readonly<Record<string, string>>;
  readonly input: Input;
  readonly idempotencyKey: string | null;
}

export interface ApiAnswer {
  /** JSON text: exact bytes, because amounts are written by our own rule. */
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
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

type RouteHandler = (request: Request) => Promise<Response>;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type RouteModule = Readonly<Record<(typeof METHODS)[number], RouteHandler>>;

/** @returns a route module's exports: the same handler for every method, so that no framework adds answers of its own. */
export function everyMethod(handler: RouteHandler): RouteModule {
  return { GET: handler, HEAD: handler, POST: handler, PUT: handler, PATCH: handler, DELETE: handler, OPTIONS: handler };
}

/** Answers everything below a prefix from a table of routes, in the contract's order of checks. */
export function apiHandler(prefix: string, routes: readonly ApiRoute[], runtimeOf: () => ApiRuntime): RouteHandler {
  return async (request) => {
    const started = performance.now();
    const runtime = runtimeOf();
    const id = requestId(request.headers);
    const path = pathOf(request.url);
    const about: Dispatch['about'] = {};
    const result = await attempt(runtime, id, () => dispatch({ runtime, routes, request, path: path.slice(prefix.length + 1), about }));
    const response = result.ok ? jsonResponse(result.value.json, 200, id, result.value.headers) : failureResponse(result.error, id);
    runtime.requestLog.info(
      {
        requestId: id,
        method: request.method,
        path,
        status: response.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
        merchantId: about.scope?.merchantId,
        environment: about.scope?.environment,
        keyId: about.keyId,
        refusal: about.refusal,
      },
      'api',
    );
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
}

/** Turns whatever is thrown into one plain failure, logged with the request's id. */
export async function attempt<Value>(
  runtime: Pick<Runtime, 'log'>,
  id: string,
  work: () => Promise<Result<Value, Failure>>,
): Promise<Result<Value, Failure>> {
  try {
    return await work();
  } catch (error) {
    const code: FailureCode = isDatabaseUnavailable(error) ? 'unavailable' : 'internal';
    runtime.log.error({ err: error, requestId: id }, code === 'unavailable' ? 'the database is unavailable' : 'request failed');
    return fail({ code });
  }
}

interface Dispatch {
  readonly runtime: ApiRuntime;
  readonly routes: readonly ApiRoute[];
  readonly request: Request;
  readonly path: string;
  /** Filled in as it becomes known, for the log. */
  readonly about: { scope?: Scope; keyId?: string; refusal?: KeyRefusal };
}

async function dispatch({ runtime, routes, request, path, about }: Dispatch): Promise<Result<ApiAnswer, Failure>> {
  const environment: Environment | undefined = runtime.environmentOf(request.headers);
  if (!environment) return fail({ code: 'base_address_unknown' });

  const segments = path.split('/');
  const matching = routes.filter((route) => matches(route.segments, segments));
  const literal = matching.filter((route) => route.segments.every((segment) => !segment.startsWith(':')));
  const candidates = literal.length > 0 ? literal : matching;
  if (candidates.length === 0) return fail({ code: 'not_found' });
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = candidates.find((candidate) => candidate.method === method);
  if (!route) {
    const allow = candidates.flatMap((candidate) => (candidate.method === 'GET' ? ['GET', 'HEAD'] : [candidate.method])).join(', ');
    return fail({ code: 'method_not_allowed', detail: request.method, headers: { allow } });
  }

  const { headers } = request;
  const address = runtime.addressOf(headers);
  const use = { authorization: headers.get('authorization'), environment, address, route: `${route.method} ${route.segments.join('/')}` };
  const found = await runtime.keys.authenticate(use);
  if (!found.ok) {
    about.refusal = found.error;
    if (found.error === 'address') return fail({ code: 'key_address_refused', detail: address ?? 'an unknown address' });
    return fail({ code: 'credentials_invalid' });
  }
  const key = found.value;
  const scope: Scope = { merchantId: key.merchantId, environment };
  about.scope = scope;
  about.keyId = key.id;
  const served = key.profileStatus === 'active' || (route.whileSuspended && key.profileStatus === 'suspended');
  if (!served) return fail({ code: 'profile_not_found' });
  return route.run({ runtime, scope, key, params: readParams(route.segments, segments) }, request);
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  );
}

function readParams(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pattern.flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), decoded(segments[index] ?? '')]] : [])),
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}
