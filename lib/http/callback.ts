import { fail } from '@/lib/core/result';
import { receiveCallback } from '@/lib/payments/callbacks/receive-callback';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { ApiRuntime } from './api';
import { API_BODY_MAX_BYTES, readBody } from './body';
import { failureResponse } from './errors';
import { pathOf, requestId } from './request-facts';
import { catchErrors } from './route-module';

/**
 * Request headers that are not stored with a callback: secrets, and those of the transport. All others are stored, because they may contain
 * a signature.
 */
const DROPPED_HEADERS = /^(connection|host|content-length|transfer-encoding|accept-encoding|authorization|cookie|x-bili-.*)$/;

/**
 * Answers callbacks of providers at `/callbacks/account/{token}` and `/callbacks/{provider}/{token}`, on both base addresses and any host
 * name.
 */
export function callbackHandler(
  prefix: string,
  runtimeOf: () => ApiRuntime & { readonly providers: ProviderRegistry },
): (request: Request) => Promise<Response> {
  return async (request) => {
    const runtime = runtimeOf();
    const id = requestId(request.headers);
    const [provider = '', token = '', ...rest] = pathOf(request.url)
      .slice(prefix.length + 1)
      .split('/');
    const result = await catchErrors(runtime, id, async () => {
      if (!provider || !token || rest.length > 0) return fail({ code: 'not_found' });
      if (request.method !== 'POST' && request.method !== 'PUT') {
        return fail({ code: 'method_not_allowed', detail: request.method, headers: { allow: 'POST, PUT' } });
      }
      const body = await readBody(request, API_BODY_MAX_BYTES);
      if (!body.ok) return fail({ code: body.error });
      const headers = Object.fromEntries([...request.headers].filter(([name]) => !DROPPED_HEADERS.test(name)));
      // Adds the request id to every log line that the callback causes.
      const traced = { ...runtime, log: runtime.log.child({ requestId: id }) };
      return receiveCallback(traced, { provider, token, callback: { headers, body: body.value } });
    });
    if (!result.ok) return failureResponse(result.error, id);
    const { status, body, contentType } = result.value;
    return new Response(body, { status, headers: { 'content-type': contentType, 'cache-control': 'no-store', 'x-request-id': id } });
  };
}
