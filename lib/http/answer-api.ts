import type { Failure } from '@/lib/core/failure';
import { fail, type Result } from '@/lib/core/result';
import type { Environment, Scope } from '@/lib/core/scope';
import type { RefusedKey } from '@/lib/keys/authenticate-key';
import { rateHeaders } from '@/lib/limits/request-limits';
import { recorder } from '@/lib/metrics/recorder';
import { recordRequest } from '@/lib/requests/record-request';
import { readScenario } from '@/lib/sandbox/scenarios';
import { API_PREFIX, type ApiAnswer, type ApiRoute, type ApiRuntime } from './api';
import { failureReply, jsonReply, withHelp } from './errors';
import { type PathParams, pathReader } from './path-template';
import { requestId } from './request-facts';
import { catchErrors, type RouteHandler } from './route-module';
import { fromFetch, type Reply, type SentRequest, toFetch } from './sent-request';

/** The handler of one API route. */
export interface ApiHandler {
  /** Answers a request at any path: 404 if the path does not match the route. */
  (request: Request): Promise<Response>;
  readonly route: ApiRoute;
  /** Returns the parameters of a path, or null if the path does not match the route. */
  readonly paramsOf: (path: string) => PathParams | null;
  /** Answers a request whose path parameters are already known. */
  readonly answer: (request: SentRequest, params: PathParams) => Promise<Reply>;
}

/** @param runtimeOf returns the process's runtime. It is called during requests, because route modules load before the runtime exists. */
export function apiHandler(route: ApiRoute, runtimeOf: () => ApiRuntime): ApiHandler {
  const paramsOf = pathReader(route.path);
  const answer = (request: SentRequest, params: PathParams | null) => answerRequest(runtimeOf(), request, params && { route, params });
  const handler = async (request: Request) => {
    const sent = fromFetch(request);
    return toFetch(await answer(sent, paramsOf(sent.path)), sent.method);
  };
  return Object.assign(handler, { route, paramsOf, answer });
}

/** Returns the handler of API paths that match no route. */
export function unknownPathHandler(runtimeOf: () => ApiRuntime): RouteHandler {
  return async (request) => toFetch(await answerRequest(runtimeOf(), fromFetch(request), null), request.method);
}

/** A route with the path parameters of a request. */
interface FoundRoute {
  readonly route: ApiRoute;
  readonly params: PathParams;
}

/** Answers a request. The order of the checks is part of the API contract. @param found null if no route matches the path. */
export async function answerRequest(runtime: ApiRuntime, request: SentRequest, found: FoundRoute | null): Promise<Reply> {
  const started = performance.now();
  const id = requestId(request.headers);
  const about: Dispatch['about'] = {};
  const result = await catchErrors(runtime, id, () => dispatch({ runtime, request, found, about }));
  const reply = result.ok
    ? jsonReply(result.value.json, 200, id, { ...about.headers, ...result.value.headers })
    : failureReply(withHelp({ ...result.error, headers: { ...about.headers, ...result.error.headers } }, runtime.settings), id);
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
    recorder()?.apiAnswered(found?.route.path ?? null, request.method, reply.status, ms);
    const billId = result.ok ? (result.value.about?.billId ?? found?.params.id ?? null) : null;
    recordRequest(runtime, { request, reply, ms, requestId: id, caller: about, code: result.ok ? null : result.error.code, billId });
  });
  return reply;
}

interface Dispatch {
  readonly runtime: ApiRuntime;
  readonly request: SentRequest;
  readonly found: FoundRoute | null;
  /** Filled in during the checks: facts for the log line, and headers for every answer to an authenticated request. */
  readonly about: { scope?: Scope; keyId?: string; refused?: RefusedKey; headers?: Readonly<Record<string, string>> };
}

async function dispatch({ runtime, request, found, about }: Dispatch): Promise<Result<ApiAnswer, Failure>> {
  const environment: Environment | undefined = runtime.environmentOf(request.headers);
  if (!environment) return fail({ code: 'base_address_unknown' });

  if (!found) return fail({ code: 'not_found' });
  const { route, params } = found;
  if (route.method !== (request.method === 'HEAD' ? 'GET' : request.method)) {
    return fail({
      code: 'method_not_allowed',
      detail: request.method,
      headers: { allow: route.method === 'GET' ? 'GET, HEAD' : route.method },
    });
  }

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
  const verdict = runtime.limits.takeKey(key.id, environment, route.method);
  about.headers = rateHeaders(verdict);
  if (!verdict.allowed) {
    await runtime.limits.delayRefusal(verdict);
    return fail({ code: 'too_many_requests' });
  }
  // While commits do not end, a write would wait and leave a session in the server.
  if (route.method === 'POST' && runtime.health.has('commits')) return fail({ code: 'unavailable' });
  if (route.keyScope !== null && !key.scopes.includes(route.keyScope)) return fail({ code: 'key_scope_missing', detail: route.keyScope });
  const asked = readScenario(environment === 'sandbox' ? headers.get('bili-sandbox-scenario') : null);
  if (!asked.ok) return asked;
  if (asked.value?.kind === 'refusal') return fail(refusalOf(asked.value.code));
  const scenario = asked.value?.name ?? null;
  const run = (leaveLine: () => void) => route.run({ runtime, scope, key, scenario, leaveLine }, request, params);
  if (environment === 'live' || route.shares?.(key)) return run(() => undefined);
  const result = await runtime.limits.sandboxQueue.run(key.id, run);
  if (result === undefined) recorder()?.overloaded('sandbox');
  return result ?? fail({ code: 'unavailable' });
}

/** Returns the failure of a scenario in which the sandbox refuses a request. It has the headers of the real failure. */
function refusalOf(code: 'too_many_requests' | 'unavailable' | 'profile_not_found'): Failure {
  return code === 'too_many_requests' ? { code, headers: { 'retry-after': '1' } } : { code };
}
