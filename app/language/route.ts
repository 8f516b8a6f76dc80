import { DAY_MS, SECOND_MS } from '@/lib/core/clock';
import { readBody } from '@/lib/http/body';
import { failureResponse } from '@/lib/http/errors';
import { requestId } from '@/lib/http/request-facts';
import { isSameOrigin } from '@/lib/http/same-origin';
import { isLocale } from '@/lib/i18n/translator';
import { LANGUAGE_COOKIE } from '@/lib/server/visit';

const FORM_MAX_BYTES = 1024;
const KEPT_SECONDS = (365 * DAY_MS) / SECOND_MS;

/** Remembers the language somebody chose, and shows the page they came from again. */
export async function POST(request: Request): Promise<Response> {
  const id = requestId(request.headers);
  const body = await readBody(request, FORM_MAX_BYTES);
  if (!body.ok) return failureResponse({ code: body.error }, id);
  const language = new URLSearchParams(new TextDecoder().decode(body.value)).get('lang');
  const headers = new Headers({ location: cameFrom(request.headers), 'cache-control': 'no-store', 'x-request-id': id });
  if (isLocale(language) && isSameOrigin(request.headers)) {
    headers.set('set-cookie', `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${KEPT_SECONDS}; SameSite=Lax; HttpOnly`);
  }
  return new Response(null, { status: 303, headers });
}

function cameFrom(headers: Headers): string {
  const referer = headers.get('referer') ?? '';
  if (!URL.canParse(referer) || new URL(referer).host !== headers.get('host')) return '/';
  const { pathname, search } = new URL(referer);
  return pathname.startsWith('//') ? '/' : pathname + search;
}
