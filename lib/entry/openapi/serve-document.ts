import { hash } from 'node:crypto';
import type { ApiRuntime, DescribedRoute } from '@/lib/entry/http/api';
import { failureResponse, jsonResponse, type RouteHandler, withHelp } from '@/lib/entry/http/errors';
import { hasVersion, requestId } from '@/lib/entry/http/request-facts';
import { readVersion } from '@/lib/platform/config/version';
import type { Failure } from '@/lib/platform/core/failure';
import type { Environment } from '@/lib/platform/core/scope';
import { openApiDocument } from './document';

/** How long clients may reuse the API description. After that they ask whether it has changed, and mostly get 304. */
const MAX_AGE_SECONDS = 300;

/** Returns the handler of the API description. Callers need no key, and scripts of every website may read the description. */
export function openApiHandler(routes: readonly DescribedRoute[], runtimeOf: () => ApiRuntime): RouteHandler {
  const documents: Partial<Record<Environment, { readonly json: string; readonly etag: string }>> = {};
  return async (request) => {
    const { settings, environmentOf, limits, addressOf } = runtimeOf();
    const id = requestId(request.headers);
    const refuse = (failure: Failure) => withoutBody(request, failureResponse(withHelp(failure, settings), id));
    const environment = environmentOf(request.headers);
    if (environment === undefined) return refuse({ code: 'base_address_unknown' });
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse({ code: 'method_not_allowed', detail: request.method, headers: { allow: 'GET, HEAD' } });
    }
    const verdict = limits.takePage(addressOf(request.headers));
    if (!verdict.allowed) {
      await limits.delayRefusal(verdict);
      return refuse({ code: 'too_many_requests', headers: { 'retry-after': String(verdict.retrySeconds) } });
    }
    documents[environment] ??= make(environment);
    const { json, etag } = documents[environment];
    const headers = { etag, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}`, 'access-control-allow-origin': '*' };
    if (hasVersion(request.headers.get('if-none-match'), etag)) {
      return new Response(null, { status: 304, headers: { ...headers, 'x-request-id': id } });
    }
    return withoutBody(request, jsonResponse(json, 200, id, headers));

    function make(environment: Environment) {
      const text = JSON.stringify(openApiDocument({ routes, settings, version: readVersion(), environment }));
      // A strong ETag would promise the same bytes each time. This one is weak, because the listener may compress the answer.
      return { json: text, etag: `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"` };
    }
  };
}

function withoutBody(request: Request, response: Response): Response {
  return request.method === 'HEAD' ? new Response(null, response) : response;
}
