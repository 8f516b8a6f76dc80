import type { Failure } from '@/lib/core/failure';
import { fail, type Result } from '@/lib/core/result';
import type { Environment, Scope } from '@/lib/core/scope';
import type { KeyRefusal } from '@/lib/keys/authenticate-key';
import { rateHeaders } from '@/lib/limits/request-limits';
import type { ApiAnswer, ApiRoute, ApiRuntime } from './api';
import { failureResponse, jsonResponse } from './errors';
import { pathAsSent, requestId } from './request-facts';
import { attempt, type RouteHandler } from './route-module';

/** Answers everything below a prefix from a table of routes, in the contract's order of checks. */
export function apiHandler(prefix: string, routes: readonly ApiRoute[], runtimeOf: () => ApiRuntime): RouteHandler {
  return async (request) => {
    const started = performance.now();
    const runtime = runtimeOf();
    const id = requestId(request.headers);
    const path = pathAsSent(request);
    const about: Dispatch['about'] = {};
    const result = await attempt(runtime, id, () => dispatch({ runtime, routes, request, path: path.slice(prefix.length + 1), about }));
    const response = result.ok
      ? jsonResponse(result.value.json, 200, id, { ...about.headers, ...result.value.headers })
      : failureResponse({ ...result.error, headers: { ...about.headers, ...result.error.headers } }, id);
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
        ...(result.ok && result.value.about),
      },
      'api',
    );
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
}

interface Dispatch {
  readonly runtime: ApiRuntime;
  readonly routes: readonly ApiRoute[];
  readonly request: Request;
  readonly path: string;
  /** Filled in as it becomes known: for the log, and headers that every answer to a key has. */
  readonly about: { scope?: Scope; keyId?: string; refusal?: KeyRefusal; headers?: Readonly<Record<string, string>> };
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
    const verdict = runtime.limits.takeFailure(address);
    if (verdict.allowed) return fail({ code: 'credentials_invalid' });
    await runtime.limits.holdBack(verdict);
    return fail({ code: 'too_many_requests', headers: { 'retry-after': String(verdict.retrySeconds) } });
  }
  const key = found.value;
  const scope: Scope = { merchantId: key.merchantId, environment };
  about.scope = scope;
  about.keyId = key.id;
  const served = key.profileStatus === 'active' || (route.whileSuspended && key.profileStatus === 'suspended');
  if (!served) return fail({ code: 'profile_not_found' });
  const verdict = runtime.limits.takeKey(key.id, environment, route.method);
  about.headers = rateHeaders(verdict);
  if (!verdict.allowed) {
    await runtime.limits.holdBack(verdict);
    return fail({ code: 'too_many_requests' });
  }
  const call = { runtime, scope, key, params: readParams(route.segments, segments) };
  const run = (leaveLine: () => void) => route.run({ ...call, leaveLine }, request);
  if (environment === 'live') return run(() => undefined);
  return (await runtime.limits.sandboxLine.run(key.id, run)) ?? fail({ code: 'unavailable' });
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
