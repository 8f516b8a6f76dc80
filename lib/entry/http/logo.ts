import { showLogo } from '@/lib/identity/merchants/brand-store';
import type { Failure } from '@/lib/platform/core/failure';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { catchErrors, failureResponse, type RouteHandler } from './errors';
import { type EnvironmentFinder, pathOf, requestId } from './request-facts';

type LogoRuntime = Pick<Runtime, 'db' | 'log'> & { readonly environmentOf: EnvironmentFinder };

/** Serves a merchant's logo at `<prefix>/<merchant id>/<hash>`. Browsers cache it forever, because a new logo has a new hash. */
export function logoHandler(prefix: string, runtimeOf: () => LogoRuntime): RouteHandler {
  return async (request) => {
    const runtime = runtimeOf();
    const id = requestId(request.headers);
    const answer = await catchErrors(runtime, id, () => find(runtime, request, prefix, id));
    return answer.ok ? answer.value : failureResponse(answer.error, id);
  };
}

async function find(runtime: LogoRuntime, request: Request, prefix: string, id: string): Promise<Result<Response, Failure>> {
  if (!runtime.environmentOf(request.headers)) return fail({ code: 'base_address_unknown' });
  const [merchantId = '', hash = '', ...more] = pathOf(request.url)
    .slice(prefix.length + 1)
    .split('/');
  if (hash === '' || more.length > 0) return fail({ code: 'not_found' });
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return fail({ code: 'method_not_allowed', detail: request.method, headers: { allow: 'GET, HEAD' } });
  const logo = await showLogo(runtime, merchantId, hash);
  if (!logo) return fail({ code: 'not_found' });
  const headers = {
    'content-type': logo.type,
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
  };
  return ok(new Response(request.method === 'HEAD' ? null : new Uint8Array(logo.bytes), { headers }));
}
