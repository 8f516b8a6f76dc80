import { z } from 'zod';
import type { KeyScope } from '@/lib/accounts/key-scopes';
import type { InsertQueue } from '@/lib/bills/create/insert-queue';
import type { ReadQueue } from '@/lib/bills/read-queue';
import { check } from '@/lib/core/check';
import type { Failure, FailureCode } from '@/lib/core/failure';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Scope } from '@/lib/core/scope';
import type { KeyAuthenticator } from '@/lib/keys/authenticate-key';
import type { StoredKey } from '@/lib/keys/rules';
import type { RequestLimits } from '@/lib/limits/request-limits';
import type { Log } from '@/lib/log/log';
import type { RequestRecorder } from '@/lib/requests/request-recorder';
import type { Runtime } from '@/lib/runtime/runtime';
import type { PaymentScenario } from '@/lib/sandbox/scenarios';
import type { BodyDeclaration } from './api-body';
import { ignoredHeader } from './ignored-members';
import type { PathParams } from './path-template';
import { type EnvironmentFinder, type HeaderReader, queryOf } from './request-facts';
import type { RouteDocs } from './route-docs';
import type { SentRequest } from './sent-request';

export const API_PREFIX = '/api/v3/';

/** The runtime that API routes need. */
export interface ApiRuntime extends Runtime {
  readonly keys: KeyAuthenticator;
  readonly environmentOf: EnvironmentFinder;
  readonly limits: RequestLimits;
  /** Returns the caller's address. X-Forwarded-For counts only if it comes from a trusted proxy. */
  readonly addressOf: (headers: HeaderReader) => string | null;
  /** The insert queue and the read queue process the bills of several requests in one statement. */
  readonly insertQueue: InsertQueue;
  readonly readQueue: ReadQueue;
  /** Records requests for the request log of their merchants. */
  readonly requestRecorder: RequestRecorder;
  /** The log that gets one line for each request. */
  readonly requestLog: Log;
}

/** A request after the checks of key, profile and rate. */
interface ApiRequest {
  readonly runtime: ApiRuntime;
  readonly scope: Scope;
  readonly key: StoredKey;
  /** What the simulated customer does with the payment requests of this call. Null in live, and if the caller has chosen no scenario. */
  readonly scenario: PaymentScenario | null;
  /**
   * Leaves the sandbox queue, which lets only a limited number of requests run at once. A request calls this when it starts to wait for
   * another request with the same Idempotency-Key, so that a waiting request does not block the queue.
   */
  readonly leaveLine: () => void;
}

/** A request after all checks, with its parsed input. */
interface ApiCall<Params, Query, Body> extends ApiRequest {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly idempotencyKey: string | null;
  /** The names of query parameters and of the body's members that were ignored because their schemas do not have them. */
  readonly unknown: readonly string[];
}

export interface ApiAnswer {
  /** The JSON text. Not an object, because amounts have their own number format. */
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Facts for the request's log line, so that a payment can be traced through the log. */
  readonly about?: { readonly billId?: string; readonly ourReference?: string | null };
}

/** The facts of a route that the dispatcher and the documentation need. */
interface RouteFacts<Answer extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST';
  /** The path template. A segment that starts with a colon is a parameter. */
  readonly path: `${typeof API_PREFIX}${string}`;
  readonly summary: string;
  readonly docs: RouteDocs<z.output<Answer>>;
  /** The scope that a key needs for the route. Null if every key may call it. */
  readonly keyScope: KeyScope | null;
  /** Whether a suspended merchant may call the route. */
  readonly whileSuspended: boolean;
  /** The schema of the answer with status 200. */
  readonly response: Answer;
  /**
   * Whether a request with this key shares its SQL statements with other requests, so that it needs no database connection of its own. If
   * absent, each request needs one.
   */
  readonly shares?: (key: StoredKey) => boolean;
}

interface RouteDeclaration<Params extends z.ZodObject, Query extends z.ZodObject, Body, Answer extends z.ZodType, Code extends FailureCode>
  extends RouteFacts<Answer> {
  readonly params: Params;
  /**
   * The schema of the query. If a parameter is repeated, the first value counts. An object is sent as one parameter for each of its members:
   * `metadata[order_id]=17`. Unknown parameters are ignored.
   */
  readonly query: Query;
  readonly body: BodyDeclaration<Body>;
  /** The failure codes of the schemas of path, query and body. */
  readonly inputFailures: readonly FailureCode[];
  /** The failure codes of the handler. */
  readonly failures: readonly Code[];
  readonly handler: (call: ApiCall<z.output<Params>, z.output<Query>, Body>) => Promise<Result<ApiAnswer, Failure<NoInfer<Code>>>>;
}

/** A declared route. */
export interface ApiRoute extends RouteFacts {
  /** How callers authenticate. */
  readonly auth: 'apiKey';
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: Pick<BodyDeclaration<unknown>, 'schema' | 'headers' | 'required' | 'maxBytes'>;
  /** All failure codes that an answer of the route can have. */
  readonly failures: readonly FailureCode[];
  readonly run: (call: ApiRequest, request: SentRequest, params: PathParams) => Promise<Result<ApiAnswer, Failure>>;
}

/** The schema of a path or query without parameters. */
export const NO_PARAMETERS = z.object({});

/** The failure codes of the checks before the handler. */
const COMMON_FAILURES: readonly FailureCode[] = [
  'base_address_unknown',
  'key_address_refused',
  'credentials_invalid',
  'profile_not_found',
  'too_many_requests',
  'scenario_unknown',
  'internal',
  'unavailable',
];

const SCOPE_FAILURES: readonly FailureCode[] = ['key_scope_missing'];

/** Declares a route. Its handler receives the parsed output of the schemas. */
export function apiRoute<Params extends z.ZodObject, Query extends z.ZodObject, Body, Answer extends z.ZodType, Code extends FailureCode>({
  params: paramsSchema,
  query: querySchema,
  body: declared,
  inputFailures,
  failures,
  handler,
  ...facts
}: RouteDeclaration<Params, Query, Body, Answer, Code>): ApiRoute {
  const names = Object.keys(querySchema.shape);
  const objects = new Set(names.filter((name) => isObjectSchema(querySchema.shape[name])));
  // Without parameters, the result of the check is always the same, so it is computed only once.
  const noParams = Object.keys(paramsSchema.shape).length === 0 ? check(paramsSchema, {}) : null;
  const noQuery = names.length === 0 ? check(querySchema, {}) : null;
  return {
    ...facts,
    auth: 'apiKey',
    params: paramsSchema,
    query: querySchema,
    body: declared,
    failures: [...COMMON_FAILURES, ...(facts.keyScope === null ? [] : SCOPE_FAILURES), ...declared.failures, ...inputFailures, ...failures],
    async run(call, request, sent) {
      const params = noParams ?? check(paramsSchema, sent);
      if (!params.ok) return params;
      const asked = request.url.includes('?') ? readQuery(request.url, names, objects) : NOTHING_ASKED;
      const query = noQuery ?? check(querySchema, asked.values);
      if (!query.ok) return fail({ ...query.error, headers: ignoredHeader(asked.unknown) });
      const body = await declared.read(request, call.runtime.settings);
      if (!body.ok) return body;
      const unknown = [...asked.unknown, ...body.value.unknown];
      const answer = await handler({ ...call, params: params.value, query: query.value, ...body.value, unknown });
      if (declared.schema !== null || !answer.ok) return answer;
      // A handler with a body adds the header itself, because it knows the values that it did not use.
      return ok({ ...answer.value, headers: { ...ignoredHeader(unknown), ...answer.value.headers } });
    },
  };
}

interface Asked {
  readonly values: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** The names of parameters that the schema does not have. */
  readonly unknown: readonly string[];
}

const NOTHING_ASKED: Asked = { values: {}, unknown: [] };

function isObjectSchema(schema: z.core.$ZodType | undefined): boolean {
  return schema instanceof z.ZodOptional ? isObjectSchema(schema.unwrap()) : schema instanceof z.ZodRecord;
}

/** Reads the parameters of a URL. Of several values of one parameter, or of one member of an object, the first counts. */
function readQuery(url: string, names: readonly string[], objects: ReadonlySet<string>): Asked {
  const texts = new Map<string, string>();
  const members = new Map<string, Map<string, string>>();
  const unknown = new Set<string>();
  for (const [name, value] of queryOf(url)) {
    const [, object = '', member = ''] = /^(\w+)\[(.+)\]$/s.exec(name) ?? [];
    // No object has this member: zod removes it.
    if (objects.has(object) && member !== '__proto__') {
      const known = members.get(object) ?? new Map<string, string>();
      if (!known.has(member)) known.set(member, value);
      members.set(object, known);
    } else if (!names.includes(name) || objects.has(name)) unknown.add(name);
    else if (!texts.has(name)) texts.set(name, value);
  }
  const values = [...texts, ...[...members].map(([name, known]) => [name, Object.fromEntries(known)] as const)];
  return { values: Object.fromEntries(values), unknown: [...unknown] };
}
