import { drawingOf } from '@/components/pay/pictures';
import { catchErrors, failureResponse } from '@/lib/entry/http/errors';
import { hasVersion, pathOf, queryOf, requestId } from '@/lib/entry/http/request-facts';
import { type WebRuntime, webRuntime } from '@/lib/entry/server/web-runtime';
import { showPictured } from '@/lib/gateway/receipts/show-receipt';
import { clientNetwork } from '@/lib/platform/core/client-network';
import type { Failure } from '@/lib/platform/core/failure';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { chooseLocale } from '@/lib/platform/i18n/locale';
import { recorder } from '@/lib/platform/metrics/recorder';
import { createPictureCache, pictureTag } from '@/lib/platform/pictures/picture-cache';

const PREFIX = '/pay/picture/';
/** How long a browser may show a stored picture without asking the server. The time is short, because a payment may be reversed. */
const FRESH_SECONDS = 60;

const pictures = createPictureCache();

/** Serves the pictures of a bill: `/pay/picture/<bill id>/receipt.png` and `/pay/picture/<bill id>/bill.png`. */
export async function payPicture(request: Request): Promise<Response> {
  const runtime = webRuntime();
  const id = requestId(request.headers);
  const answer = await catchErrors(runtime, id, () => answerPicture(runtime, request, id));
  return answer.ok ? answer.value : failureResponse(answer.error, id);
}

async function answerPicture(runtime: WebRuntime, request: Request, id: string): Promise<Result<Response, Failure>> {
  const environment = runtime.environmentOf(request.headers);
  if (!environment) return fail({ code: 'base_address_unknown' });
  const [billId = '', file = '', ...more] = pathOf(request.url).slice(PREFIX.length).split('/');
  const kind = /^(receipt|bill)\.png$/.exec(file)?.[1];
  if (kind === undefined || more.length > 0) return fail({ code: 'not_found' });
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return fail({ code: 'method_not_allowed', detail: request.method, headers: { allow: 'GET, HEAD' } });
  const address = runtime.addressOf(request.headers);
  const verdict = runtime.limits.takePicture(address);
  if (!verdict.allowed) return fail({ code: 'too_many_requests', headers: { 'retry-after': String(verdict.retrySeconds) } });
  const locale = chooseLocale(queryOf(request.url).get('lang'), request.headers.get('accept-language'));
  const pictured = await showPictured(runtime, environment, billId);
  const svg = pictured && drawingOf(pictured, kind === 'bill' ? 'bill' : 'receipt', locale);
  if (svg === undefined) return fail({ code: 'not_found' });
  const headers = {
    etag: `"${pictureTag(svg)}"`,
    'cache-control': `private, max-age=${FRESH_SECONDS}`,
    'content-security-policy': "default-src 'none'",
    // Chats show the picture of a link on their own pages.
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
  };
  if (hasVersion(request.headers.get('if-none-match'), headers.etag)) return ok(new Response(null, { status: 304, headers }));
  const png = await (pictures.find(svg) ?? runtime.limits.pictureQueue.run(clientNetwork(address), () => pictures.draw(svg)));
  if (!png) {
    recorder()?.overloaded('pictures');
    return fail({ code: 'unavailable' });
  }
  const body = request.method === 'HEAD' ? null : new Uint8Array(png);
  return ok(new Response(body, { headers: { ...headers, 'content-type': 'image/png', 'content-length': String(png.length) } }));
}
