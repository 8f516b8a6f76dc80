import { z } from 'zod';
import { check } from '@/lib/core/check';
import type { Failure, FailureCode } from '@/lib/core/failure';
import type { Result } from '@/lib/core/result';
import type { Scope } from '@/lib/core/scope';
import type { KeyAuthenticator } from '@/lib/keys/authenticate-key';
import type { StoredKey } from '@/lib/keys/rules';
import type { RequestLimits } from '@/lib/limits/request-limits';
import type { Log } from '@/lib/log/log';
import type { Runtime } from '@/lib/runtime/runtime';
import type { BodyDeclaration } from './api-body';
import type { PathParams } from './path-template';
import { type EnvironmentFinder, queryOf } from './request-facts';

export const API_PREFIX = '/api/v3/';

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

/** A request whose key, profile and rate have been checked. */
interface ApiRequest {
  readonly runtime: ApiRuntime;
  readonly scope: Scope;
  readonly key: StoredKey;
  /** Gives the request's place in the line of the sandbox to another one: for a request that only waits. */
  readonly leaveLine: () => void;
}

/** A request that passed every check before the handler. */
interface ApiCall<Params, Query, Body> extends ApiRequest {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly idempotencyKey: string | null;
}

export interface ApiAnswer {
  /** JSON text: exact bytes, because amounts are written by our own rule. */
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the request's line in the log names beside the merchant, so that a payment can be followed through all lines. */
  readonly about?: { readonly billId?: string; readonly ourReference?: string | null };
}

/** What a route says about itself: enough to check its requests and to describe it. */
interface RouteFacts {
  readonly method: 'GET' | 'POST';
  /** The path template: a segment with a colon is a parameter. */
  readonly path: `${typeof API_PREFIX}${string}`;
  readonly summary: string;
  /** Whether a suspended merchant may call it. */
  readonly whileSuspended: boolean;
  /** The JSON of the answer with status 200. */
  readonly response: z.ZodType;
}

interface RouteDeclaration<Params extends z.ZodObject, Query extends z.ZodObject, Body, Code extends FailureCode> extends RouteFacts {
  readonly params: Params;
  /** The query's parameters. If one is given twice, the first counts; others are ignored. */
  readonly query: Query;
  readonly body: BodyDeclaration<Body>;
  /** The failure codes of the schemas. */
  readonly inputFailures: readonly FailureCode[];
  /** The failure codes of the handler. */
  readonly failures: readonly Code[];
  readonly handler: (call: ApiCall<z.output<Params>, z.output<Query>, Body>) => Promise<Result<ApiAnswer, Failure<NoInfer<Code>>>>;
}

/** One route as the dispatcher and the documentation see it. */
export interface ApiRoute extends RouteFacts {
  /** How a caller proves who it is. */
  readonly auth: 'apiKey';
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: Pick<BodyDeclaration<unknown>, 'schema' | 'headers'>;
  /** Every failure code that an answer of the route can have. */
  readonly failures: readonly FailureCode[];
  readonly run: (call: ApiRequest, request: Request, params: PathParams) => Promise<Result<ApiAnswer, Failure>>;
}

/** For a route without parameters in its path or query. */
export const NOTHING = z.object({});

/** The failure codes of the checks before the handler. */
const COMMON_FAILURES: readonly FailureCode[] = [
  'base_address_unknown',
  'key_address_refused',
  'credentials_invalid',
  'profile_not_found',
  'too_many_requests',
  'internal',
  'unavailable',
];

/** Declares a route. Its handler receives what the schemas make of the request. */
export function apiRoute<Params extends z.ZodObject, Query extends z.ZodObject, Body, Code extends FailureCode>({
  params: paramsSchema,
  query: querySchema,
  body: declared,
  inputFailures,
  failures,
  handler,
  ...facts
}: RouteDeclaration<Params, Query, Body, Code>): ApiRoute {
  const names = Object.keys(querySchema.shape);
  return {
    ...facts,
    auth: 'apiKey',
    params: paramsSchema,
    query: querySchema,
    body: declared,
    failures: [...COMMON_FAILURES, ...declared.failures, ...inputFailures, ...failures],
    async run(call, request, sent) {
      const params = check(paramsSchema, sent);
      if (!params.ok) return params;
      const query = check(querySchema, namedValues(names, request.url));
      if (!query.ok) return query;
      const body = await declared.read(request, call.runtime.settings);
      if (!body.ok) return body;
      return handler({ ...call, params: params.value, query: query.value, ...body.value });
    },
  };
}

function namedValues(names: readonly string[], url: string): Record<string, string | undefined> {
  if (names.length === 0) return {};
  const query = queryOf(url);
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]));
}
