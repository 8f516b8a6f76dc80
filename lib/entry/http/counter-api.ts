import type { z } from 'zod';
import { grantAccess, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { type RequestLimits, rateHeaders } from '@/lib/identity/limits/request-limits';
import type { Failure, FailureCode } from '@/lib/platform/core/failure';
import { fail, type Result } from '@/lib/platform/core/result';
import type { Environment, Scope } from '@/lib/platform/core/scope';
import { maySend } from '@/lib/platform/hold/hold';
import { recorder } from '@/lib/platform/metrics/recorder';
import {
  type ApiAnswer,
  type ApiRuntime,
  chooseRoute,
  type DescribedRoute,
  type MatchedRoutes,
  type Route,
  type RouteDeclaration,
  replyOf,
  routeInput,
} from './api';
import { catchErrors } from './errors';
import { requestId } from './request-facts';
import type { Reply, SentRequest } from './sent-request';

// The interface of applications that work as the counter of a shop: `/api/v2`. Its sessions are those of the counter in the browser.

/** The header with the secret of a session. */
export const SECRET_HEADER = 'x-secret';

/** A request of an application that has no session yet. */
export interface GuestRequest {
  readonly runtime: ApiRuntime;
  readonly environment: Environment;
  /** Where the session comes from. The audit log and the list of sessions show it. */
  readonly from: { readonly address: string | null; readonly userAgent: string | null };
}

/** A request with a session. */
export interface SessionRequest extends GuestRequest {
  readonly access: MerchantAccess;
  readonly secret: string;
}

interface SessionRoute extends Route<SessionRequest> {
  readonly auth: 'session';
}

interface GuestRoute extends Route<GuestRequest> {
  readonly auth: 'none';
}

export type CounterRoute = SessionRoute | GuestRoute;

const COMMON_FAILURES: readonly FailureCode[] = ['base_address_unknown', 'too_many_requests', 'internal', 'unavailable'];
const CHANGE_FAILURES: readonly FailureCode[] = [...COMMON_FAILURES, 'on_hold'];
const commonOf = (method: DescribedRoute['method']) => (method === 'GET' ? COMMON_FAILURES : CHANGE_FAILURES);
const NO_FACTS = { keyScope: null } satisfies Pick<DescribedRoute, 'keyScope'>;

/** Declares a route that needs a session. */
export function sessionRoute<P extends z.ZodObject, Q extends z.ZodObject, Body, Answer extends z.ZodType, Code extends FailureCode>(
  declared: RouteDeclaration<SessionRequest, unknown, P, Q, Body, Answer, Code>,
): SessionRoute {
  const common: readonly FailureCode[] = [...commonOf(declared.method), 'session_invalid', 'profile_not_found', 'not_allowed'];
  return { ...declared, ...NO_FACTS, auth: 'session', ...routeInput<SessionRequest, P, Q, Body, Code>(declared, common) };
}

/** Declares a route for applications that have no session yet. */
export function guestRoute<P extends z.ZodObject, Q extends z.ZodObject, Body, Answer extends z.ZodType, Code extends FailureCode>(
  declared: RouteDeclaration<GuestRequest, unknown, P, Q, Body, Answer, Code>,
): GuestRoute {
  return { ...declared, ...NO_FACTS, auth: 'none', ...routeInput<GuestRequest, P, Q, Body, Code>(declared, commonOf(declared.method)) };
}

interface Dispatch {
  readonly runtime: ApiRuntime;
  readonly request: SentRequest;
  readonly matched: MatchedRoutes<CounterRoute>;
  /** Filled in during the checks: facts for the log line, and headers for every answer to a request with a session. */
  readonly about: { scope?: Scope; userId?: string; headers?: Readonly<Record<string, string>> };
}

/** Answers a request to a path of the declared routes. */
export async function answerCounter(runtime: ApiRuntime, request: SentRequest, matched: MatchedRoutes<CounterRoute>): Promise<Reply> {
  const started = performance.now();
  const id = requestId(request.headers);
  const about: Dispatch['about'] = {};
  const result = await catchErrors(runtime, id, () => dispatch({ runtime, request, matched, about }));
  const reply = replyOf(runtime, id, result, about.headers);
  const ms = performance.now() - started;
  const { scope, userId } = about;
  const facts = { requestId: id, method: request.method, path: request.path, status: reply.status, ms: Math.round(ms * 10) / 10, ...scope };
  runtime.requestLog.info({ ...facts, userId, ...(result.ok && result.value.about) }, 'counter api');
  recorder()?.apiAnswered(matched.path, request.method, reply.status, ms);
  return reply;
}

async function dispatch({ runtime, request, matched, about }: Dispatch): Promise<Result<ApiAnswer, Failure>> {
  const chosen = chooseRoute(runtime, request, matched);
  // Of the interface that had this path before, nothing is left.
  if (!chosen.ok) return chosen.error.code === 'method_not_allowed' ? fail({ code: 'version_gone', detail: 'v2' }) : chosen;
  const { environment, route, params } = chosen.value;
  // The live copy would not know what this one accepts.
  if (route.method !== 'GET' && !maySend()) return fail({ code: 'on_hold' });
  const { limits } = runtime;
  const { headers } = request;
  const guest: GuestRequest = {
    runtime,
    environment,
    from: { address: runtime.addressOf(headers), userAgent: headers.get('user-agent') },
  };
  // While commits do not end, a write would wait and leave a session in the server.
  const stuck = route.method !== 'GET' && runtime.health.has('commits');
  if (route.auth === 'none') {
    const verdict = limits.takePage(guest.from.address);
    if (!verdict.allowed) return refuseRate(limits, verdict);
    if (stuck) return fail({ code: 'unavailable' });
    const answer = await route.run(guest, request, params);
    return answer.ok || !isRefusedPerson(answer.error) ? answer : countFailure(guest, answer.error);
  }
  const secret = headers.get(SECRET_HEADER) ?? '';
  const granted = await grantAccess(runtime, { token: secret, merchant: null, environment, address: guest.from.address });
  if (!granted.ok) return countFailure(guest, { code: 'session_invalid' });
  const access = granted.value;
  about.scope = access.scope;
  about.userId = access.user.id;
  const verdict = limits.takeKey(access.user.id, environment, route.method === 'GET' ? 'GET' : 'POST');
  about.headers = rateHeaders(verdict);
  if (!verdict.allowed) return refuseRate(limits, verdict);
  if (stuck) return fail({ code: 'unavailable' });
  if (access.status !== 'active' && access.status !== 'suspended') return fail({ code: 'profile_not_found' });
  const run = () => route.run({ ...guest, access, secret }, request, params);
  if (environment === 'live') return run();
  const result = await limits.sandboxQueue.run(access.user.id, run);
  if (result === undefined) recorder()?.overloaded('sandbox');
  return result ?? fail({ code: 'unavailable' });
}

async function refuseRate(limits: RequestLimits, verdict: Parameters<RequestLimits['delayRefusal']>[0]): Promise<Result<never, Failure>> {
  await limits.delayRefusal(verdict);
  return fail({ code: 'too_many_requests', headers: { 'retry-after': String(verdict.retrySeconds) } });
}

/** Whether the failure says that somebody did not know a secret. */
function isRefusedPerson({ code }: Failure): boolean {
  return code === 'invitation_invalid' || code === 'device_invalid' || code === 'pin_wrong';
}

/** Counts a failed authentication by the client's address. Returns the failure, or that there were too many of them. */
async function countFailure({ runtime: { limits }, from }: GuestRequest, failure: Failure): Promise<Result<never, Failure>> {
  const verdict = limits.takeFailure(from.address);
  return verdict.allowed ? fail(failure) : refuseRate(limits, verdict);
}
