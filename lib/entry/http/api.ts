import { z } from 'zod';
import { recordRequest } from '@/lib/backoffice/requests/record-request';
import type { RequestRecorder } from '@/lib/backoffice/requests/request-recorder';
import type { InsertQueue } from '@/lib/gateway/bills/create/insert-bills';
import type { ReadQueue } from '@/lib/gateway/bills/get-bill';
import type { KeyScope } from '@/lib/identity/accounts/key-scopes';
import type { KeyAuthenticator, RefusedKey } from '@/lib/identity/keys/authenticate-key';
import type { StoredKey } from '@/lib/identity/keys/rules';
import { type RequestLimits, rateHeaders } from '@/lib/identity/limits/request-limits';
import { check } from '@/lib/platform/core/check';
import type { Failure, FailureCode } from '@/lib/platform/core/failure';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment, Scope } from '@/lib/platform/core/scope';
import { maySend } from '@/lib/platform/hold/hold';
import type { Log } from '@/lib/platform/log/log';
import { recorder } from '@/lib/platform/metrics/recorder';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { type PaymentScenario, readScenario } from '@/lib/providers/scenarios/scenarios';
import { catchErrors, failureReply, failureResponse, jsonReply, type RouteHandler, withHelp } from './errors';
import { type EnvironmentFinder, type HeaderReader, queryOf, requestId } from './request-facts';
import { type BodyDeclaration, ignoredHeader, type Reply, type SentRequest } from './sent-request';

const API_PREFIX = '/api/v3/';

/** The runtime that API routes need. */
export interface ApiRuntime extends Runtime {
  readonly keys: KeyAuthenticator;
  readonly providers: ProviderRegistry;
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
  readonly leaveQueue: () => void;
}

/** The parsed input of a request. */
interface ParsedInput<Params, Query, Body> {
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

/** The groups of operations in the API description, in their order. */
export const API_TAGS = {
  Bills: 'Create, find and change bills.',
  History: 'What happened to one bill: its payments, payment requests and events.',
  Instruments: 'Numbers, QR codes and links with which customers pay without a payment request.',
  Refunds: 'Give money back to customers.',
  Events: 'Follow the changes of all bills, for servers that cannot receive webhooks.',
  Networks: 'Whose customers can pay now.',
  Sandbox: 'Control the time of the sandbox.',
  Internal: 'For applications in which cashiers work at the counter of a shop. New integrations of servers use the other groups.',
  Description: 'This description of the API.',
} as const;

type ApiTag = keyof typeof API_TAGS;

/** One request that succeeds, and its answer. A test sends the request to the product, with the id of the test's own bill in the path. */
interface RouteExample<Answer> {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly answer: Answer;
}

/** What the API description says about a route, besides what its schemas and failures say. */
export interface RouteDocs<Answer = unknown> {
  /** The name of the operation in generated code, in lower camel case. */
  readonly operationId: string;
  readonly tag: ApiTag;
  /** The description of the operation, in Markdown. */
  readonly description: string;
  /** Whether a repetition with the same Idempotency-Key is answered with `Idempotency-Replayed: true`. */
  readonly replays?: boolean;
  readonly example: RouteExample<Answer>;
}

/** The facts of a route that the dispatcher and the documentation need. */
interface RouteFacts<Answer extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path template. A segment that starts with a colon is a parameter. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly docs: RouteDocs<z.output<Answer>>;
  /** The schema of the answer with status 200. */
  readonly response: Answer;
}

/** The facts of a route that is called with an API key. */
interface KeyFacts {
  /** The scope that a key needs for the route. Null if every key may call it. */
  readonly keyScope: KeyScope | null;
  /** Whether a suspended merchant may call the route. */
  readonly whileSuspended: boolean;
  /**
   * Whether a request with this key shares its SQL statements with other requests, so that it needs no database connection of its own. If
   * absent, each request needs one.
   */
  readonly shares?: (key: StoredKey) => boolean;
}

/** The input of a route, and the handler that gets it in addition to the facts of the request. */
interface RouteInput<Call, Params extends z.ZodObject, Query extends z.ZodObject, Body, Code extends FailureCode> {
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
  readonly handler: (
    call: Call & ParsedInput<z.output<Params>, z.output<Query>, Body>,
  ) => Promise<Result<ApiAnswer, Failure<NoInfer<Code>>>>;
}

/** What a route declares. `Call` has the facts that the dispatcher knows of a request, `Own` the facts of its kind of route. */
export type RouteDeclaration<
  Call,
  Own,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body,
  Answer extends z.ZodType,
  Code extends FailureCode,
> = Own & RouteFacts<Answer> & RouteInput<Call, Params, Query, Body, Code>;

/** What the API description needs of a declared route. */
export interface DescribedRoute extends RouteFacts {
  /** How callers authenticate: with an API key, with the session of a cashier's device, or not at all. */
  readonly auth: 'apiKey' | 'session' | 'none';
  readonly keyScope: KeyScope | null;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: Pick<BodyDeclaration<unknown>, 'schema' | 'headers' | 'required' | 'maxBytes'>;
  /** All failure codes that an answer of the route can have. */
  readonly failures: readonly FailureCode[];
}

/** A declared route. */
export interface Route<Call> extends DescribedRoute {
  readonly run: (call: Call, request: SentRequest, params: PathParams) => Promise<Result<ApiAnswer, Failure>>;
}

/** A route that is called with an API key. */
export type ApiRoute = Route<ApiRequest> & KeyFacts;

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
const CHANGE_FAILURES: readonly FailureCode[] = ['on_hold'];

/** Declares a route that is called with an API key. Its handler receives the parsed output of the schemas. */
export function apiRoute<Params extends z.ZodObject, Query extends z.ZodObject, Body, Answer extends z.ZodType, Code extends FailureCode>(
  declared: RouteDeclaration<ApiRequest, KeyFacts, Params, Query, Body, Answer, Code>,
): ApiRoute {
  const common = [
    ...COMMON_FAILURES,
    ...(declared.method === 'POST' ? CHANGE_FAILURES : []),
    ...(declared.keyScope === null ? [] : SCOPE_FAILURES),
  ];
  return { ...declared, auth: 'apiKey', ...routeInput<ApiRequest, Params, Query, Body, Code>(declared, common) };
}

/** Returns what checks and handles the input of a route. @param common the failure codes of the checks before the handler */
export function routeInput<
  Call extends { readonly runtime: ApiRuntime },
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body,
  Code extends FailureCode,
>(
  {
    params: paramsSchema,
    query: querySchema,
    body: declared,
    inputFailures,
    failures,
    handler,
  }: RouteInput<Call, Params, Query, Body, Code>,
  common: readonly FailureCode[],
): Pick<Route<Call>, 'params' | 'query' | 'body' | 'failures' | 'run'> {
  const names = Object.keys(querySchema.shape);
  const objects = new Set(names.filter((name) => isObjectSchema(querySchema.shape[name])));
  // Without parameters, the result of the check is always the same, so it is computed only once.
  const noParams = Object.keys(paramsSchema.shape).length === 0 ? check(paramsSchema, {}) : null;
  const noQuery = names.length === 0 ? check(querySchema, {}) : null;
  return {
    params: paramsSchema,
    query: querySchema,
    body: declared,
    failures: [...common, ...declared.failures, ...inputFailures, ...failures],
    async run(call, request, sent) {
      const params = noParams ?? check(paramsSchema, sent);
      if (!params.ok) return params;
      const sentQuery = request.url.includes('?') ? readQuery(request.url, names, objects) : NO_QUERY;
      const query = noQuery ?? check(querySchema, sentQuery.values);
      if (!query.ok) return fail({ ...query.error, headers: ignoredHeader(sentQuery.unknown) });
      const body = await declared.read(request, call.runtime.settings);
      if (!body.ok) return body;
      const unknown = [...sentQuery.unknown, ...body.value.unknown];
      const answer = await handler({ ...call, params: params.value, query: query.value, ...body.value, unknown });
      if (declared.schema !== null || !answer.ok) return answer;
      // A handler with a body adds the header itself, because it knows the values that it did not use.
      return ok({ ...answer.value, headers: { ...ignoredHeader(unknown), ...answer.value.headers } });
    },
  };
}

interface SentQuery {
  readonly values: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** The names of parameters that the schema does not have. */
  readonly unknown: readonly string[];
}

const NO_QUERY: SentQuery = { values: {}, unknown: [] };

function isObjectSchema(schema: z.core.$ZodType | undefined): boolean {
  return schema instanceof z.ZodOptional ? isObjectSchema(schema.unwrap()) : schema instanceof z.ZodRecord;
}

/** Reads the parameters of a URL. Of several values of one parameter, or of one member of an object, the first counts. */
function readQuery(url: string, names: readonly string[], objects: ReadonlySet<string>): SentQuery {
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

/** The decoded parameters of a path, by name. */
type PathParams = Readonly<Record<string, string>>;

/**
 * Compiles a path template such as `/api/v3/bills/:id`. The returned function reads the parameters of a path, or returns null if the path
 * does not match. It percent-decodes each parameter once. If that is not valid UTF-8, the parameter stays as it was sent.
 */
export function pathReader(template: string): (path: string) => PathParams | null {
  const parts = template.split('/').map((text) => ({ text, name: text.startsWith(':') ? text.slice(1) : null }));
  const [literal = ''] = template.split(':', 1);
  return (path) => {
    if (!path.startsWith(literal)) return null;
    const segments = path.split('/');
    if (segments.length !== parts.length) return null;
    const params: Record<string, string> = {};
    for (let index = 0; index < parts.length; index += 1) {
      const { name, text } = parts[index] ?? { name: null, text: '' };
      const segment = segments[index] ?? '';
      if (name === null ? text !== segment : segment === '') return null;
      if (name !== null) params[name] = decoded(segment);
    }
    return params;
  };
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}

/** Answers every request to an API version that was removed. */
export function goneHandler(version: string, runtimeOf: () => ApiRuntime): RouteHandler {
  return async (request) => {
    const { environmentOf, settings } = runtimeOf();
    const failure: Failure =
      environmentOf(request.headers) === undefined ? { code: 'base_address_unknown' } : { code: 'version_gone', detail: version };
    const response = failureResponse(withHelp(failure, settings), requestId(request.headers));
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
}

/** The routes of a path, one for each method, with the path parameters of a request. */
export interface MatchedRoutes<Declared extends DescribedRoute> {
  readonly path: string;
  readonly routes: readonly Declared[];
  readonly params: PathParams;
}

/**
 * Returns a function that finds the routes of a path, or null. A path without parameters takes precedence: `bills/create` is not the bill with
 * the id "create".
 */
export function routeFinder<Declared extends DescribedRoute>(
  routes: readonly Declared[],
): (path: string) => MatchedRoutes<Declared> | null {
  const ofPaths = [...Map.groupBy(routes, ({ path }) => path)].map(([path, all]) => ({ path, routes: all }));
  const isTemplate = ({ path }: { readonly path: string }) => path.includes(':');
  const exact = new Map<string, MatchedRoutes<Declared>>(
    ofPaths.filter((of) => !isTemplate(of)).map((of) => [of.path, { ...of, params: {} }]),
  );
  const templates = ofPaths.filter(isTemplate).map((of) => ({ ...of, paramsOf: pathReader(of.path) }));
  return (path) => {
    const found = exact.get(path);
    if (found) return found;
    for (const { paramsOf, ...of } of templates) {
      const params = paramsOf(path);
      if (params) return { ...of, params };
    }
    return null;
  };
}

/** Returns the reply for a result. @param headers those of every answer to an authenticated request */
export function replyOf(
  { settings }: Pick<ApiRuntime, 'settings'>,
  id: string,
  result: Result<ApiAnswer, Failure>,
  headers: Readonly<Record<string, string>> | undefined,
): Reply {
  return result.ok
    ? jsonReply(result.value.json, 200, id, { ...headers, ...result.value.headers })
    : failureReply(withHelp({ ...result.error, headers: { ...headers, ...result.error.headers } }, settings), id);
}

/** Answers a request. The order of the checks is part of the API contract. @param matched null if no route matches the path. */
export async function answerRequest(runtime: ApiRuntime, request: SentRequest, matched: MatchedRoutes<ApiRoute> | null): Promise<Reply> {
  const started = performance.now();
  const id = requestId(request.headers);
  const about: Dispatch['about'] = {};
  const result = await catchErrors(runtime, id, () => dispatch({ runtime, request, matched, about }));
  const reply = replyOf(runtime, id, result, about.headers);
  const ms = performance.now() - started;
  // The answer is written in promise callbacks. This code runs in one too, so the others run before the callback of `nextTick`. The answer
  // therefore does not wait for its log line.
  process.nextTick(() => {
    const facts = {
      requestId: id,
      method: request.method,
      path: request.path,
      status: reply.status,
      ms: Math.round(ms * 10) / 10,
      merchantId: about.scope?.merchantId,
      environment: about.scope?.environment,
      keyId: about.keyId,
      refusal: about.refused?.why,
      ...(!result.ok && result.error.code === 'base_address_unknown' && { host: request.headers.get('host') }),
      ...(result.ok && result.value.about),
    };
    runtime.requestLog.info(facts, 'api');
    recorder()?.apiAnswered(matched?.path ?? null, request.method, reply.status, ms);
    const billId = result.ok ? (result.value.about?.billId ?? matched?.params.id ?? null) : null;
    recordRequest(runtime, { request, reply, ms, requestId: id, caller: about, code: result.ok ? null : result.error.code, billId });
  });
  return reply;
}

interface Dispatch {
  readonly runtime: ApiRuntime;
  readonly request: SentRequest;
  readonly matched: MatchedRoutes<ApiRoute> | null;
  /** Filled in during the checks: facts for the log line, and headers for every answer to an authenticated request. */
  readonly about: { scope?: Scope; keyId?: string; refused?: RefusedKey; headers?: Readonly<Record<string, string>> };
}

interface ChosenRoute<Declared> {
  readonly environment: Environment;
  readonly route: Declared;
  readonly params: PathParams;
}

/** Returns the environment of a request by its base address, and the route of its method. */
export function chooseRoute<Declared extends DescribedRoute>(
  { environmentOf }: Pick<ApiRuntime, 'environmentOf'>,
  { headers, method: sent }: SentRequest,
  matched: MatchedRoutes<Declared> | null,
): Result<ChosenRoute<Declared>, Failure> {
  const environment = environmentOf(headers);
  if (!environment) return fail({ code: 'base_address_unknown' });
  if (!matched) return fail({ code: 'not_found' });
  const { routes, params } = matched;
  const route = routes.find(({ method }) => method === (sent === 'HEAD' ? 'GET' : sent));
  if (route) return ok({ environment, route, params });
  const allowed = routes.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method));
  return fail({ code: 'method_not_allowed', detail: sent, headers: { allow: allowed.join(', ') } });
}

async function dispatch({ runtime, request, matched, about }: Dispatch): Promise<Result<ApiAnswer, Failure>> {
  const chosenRoute = chooseRoute(runtime, request, matched);
  if (!chosenRoute.ok) return chosenRoute;
  const { environment, route, params } = chosenRoute.value;

  const { headers } = request;
  const address = runtime.addressOf(headers);
  const use = {
    authorization: headers.get('authorization'),
    environment,
    address,
    route: `${route.method} ${route.path.slice(API_PREFIX.length)}`,
  };
  const caller = await runtime.keys.authenticate(use);
  if (!caller.ok) {
    about.refused = caller.error;
    if (caller.error.why === 'address') return fail({ code: 'key_address_refused', detail: address ?? 'an unknown address' });
    const verdict = runtime.limits.takeFailure(address);
    if (verdict.allowed) return fail({ code: 'credentials_invalid' });
    await runtime.limits.delayRefusal(verdict);
    return fail({ code: 'too_many_requests', headers: { 'retry-after': String(verdict.retrySeconds) } });
  }
  const key = caller.value;
  const scope: Scope = { merchantId: key.merchantId, environment };
  about.scope = scope;
  about.keyId = key.id;
  const served = key.profileStatus === 'active' || (route.whileSuspended && key.profileStatus === 'suspended');
  if (!served) return fail({ code: 'profile_not_found' });
  const verdict = runtime.limits.takeKey(key.id, environment, route.method === 'GET' ? 'GET' : 'POST');
  about.headers = rateHeaders(verdict);
  if (!verdict.allowed) {
    await runtime.limits.delayRefusal(verdict);
    return fail({ code: 'too_many_requests' });
  }
  // The live copy would not know what this one accepts.
  if (route.method === 'POST' && !maySend()) return fail({ code: 'on_hold' });
  // While commits do not end, a write would wait and leave a session in the server.
  if (route.method === 'POST' && runtime.health.has('commits')) return fail({ code: 'unavailable' });
  if (route.keyScope !== null && !key.scopes.includes(route.keyScope)) return fail({ code: 'key_scope_missing', detail: route.keyScope });
  const chosen = readScenario(environment === 'sandbox' ? headers.get('bili-sandbox-scenario') : null);
  if (!chosen.ok) return chosen;
  if (chosen.value?.kind === 'refusal') return fail(refusalOf(chosen.value.code));
  const scenario = chosen.value?.name ?? null;
  const run = (leaveQueue: () => void) => route.run({ runtime, scope, key, scenario, leaveQueue }, request, params);
  if (environment === 'live' || route.shares?.(key)) return run(() => undefined);
  const result = await runtime.limits.sandboxQueue.run(key.id, run);
  if (result === undefined) recorder()?.overloaded('sandbox');
  return result ?? fail({ code: 'unavailable' });
}

/** Returns the failure of a scenario in which the sandbox refuses a request. It has the headers of the real failure. */
function refusalOf(code: 'too_many_requests' | 'unavailable' | 'profile_not_found'): Failure {
  return code === 'too_many_requests' ? { code, headers: { 'retry-after': '1' } } : { code };
}
