import { API_BODY_MAX_BYTES, readBody } from '@/lib/entry/http/body';
import { catchErrors, failureResponse } from '@/lib/entry/http/errors';
import { refuseCallback } from '@/lib/entry/http/refusals';
import { pathOf, requestId } from '@/lib/entry/http/request-facts';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import { receiveCallback } from '@/lib/gateway/callbacks/receive-callback';
import { fail } from '@/lib/platform/core/result';
import type { CallbackRefusal } from '@/lib/platform/metrics/recorder';

const PREFIX = '/callbacks/';

/**
 * Request headers that are not stored with a callback: secrets, and those of the transport. All others are stored, because they may contain
 * a signature.
 */
const DROPPED_HEADERS = /^(connection|host|content-length|transfer-encoding|accept-encoding|authorization|cookie|x-bili-.*)$/;

/**
 * Answers callbacks of providers at `/callbacks/account/{token}` and `/callbacks/{provider}/{token}`, on both base addresses and any host
 * name.
 */
export async function callbacks(request: Request): Promise<Response> {
  const runtime = webRuntime();
  const id = requestId(request.headers);
  const [provider = '', token = '', ...rest] = pathOf(request.url).slice(PREFIX.length).split('/');
  const refuse = (reason: CallbackRefusal) => {
    refuseCallback(runtime, request.headers, { provider, reason, requestId: id });
    return fail({ code: 'not_found' } as const);
  };
  const result = await catchErrors(runtime, id, async () => {
    if (!provider || !token || rest.length > 0) return refuse('incomplete_address');
    if (request.method !== 'POST' && request.method !== 'PUT') {
      return fail({ code: 'method_not_allowed', detail: request.method, headers: { allow: 'POST, PUT' } });
    }
    const body = await readBody(request, API_BODY_MAX_BYTES);
    if (!body.ok) return fail({ code: body.error });
    const headers = Object.fromEntries([...request.headers].filter(([name]) => !DROPPED_HEADERS.test(name)));
    // Adds the request id to every log line that the callback causes.
    const traced = { ...runtime, log: runtime.log.child({ requestId: id }) };
    const received = await receiveCallback(traced, { provider, token, callback: { headers, body: body.value } });
    return received.ok ? received : refuse(received.error);
  });
  if (!result.ok) return failureResponse(result.error, id);
  const { status, body, contentType } = result.value;
  return new Response(body, { status, headers: { 'content-type': contentType, 'cache-control': 'no-store', 'x-request-id': id } });
}
