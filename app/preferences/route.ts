import { readBody, readFields } from '@/lib/entry/http/body';
import { preferenceCookie } from '@/lib/entry/http/cookies';
import { failureResponse } from '@/lib/entry/http/errors';
import { requestId } from '@/lib/entry/http/request-facts';
import { isSameOrigin } from '@/lib/entry/http/same-origin';
import { isTheme, LANGUAGE_COOKIE, THEME_COOKIE } from '@/lib/entry/server/cookie-names';
import { webRuntime } from '@/lib/entry/server/web-runtime';
import { isLocale } from '@/lib/platform/i18n/locale';

const FORM_MAX_BYTES = 1024;

/** Stores the chosen language or theme in a cookie and redirects back to the page. */
export async function POST(request: Request): Promise<Response> {
  const id = requestId(request.headers);
  const body = await readBody(request, FORM_MAX_BYTES);
  if (!body.ok) return failureResponse({ code: body.error }, id);
  const chosen = await readFields(body.value, request.headers.get('content-type'));
  if (!chosen) return failureResponse({ code: 'form_type_unsupported' }, id);
  const headers = new Headers({ location: refererPath(request.headers), 'cache-control': 'no-store', 'x-request-id': id });
  const setCookie = (name: string, value: string) =>
    headers.append('set-cookie', preferenceCookie(name, value, webRuntime().settings.LIVE_BASE_URL));
  const language = chosen.get('lang');
  const theme = chosen.get('theme');
  if (isSameOrigin(request.headers)) {
    if (isLocale(language)) setCookie(LANGUAGE_COOKIE, language);
    if (isTheme(theme)) setCookie(THEME_COOKIE, theme);
  }
  return new Response(null, { status: 303, headers });
}

function refererPath(headers: Headers): string {
  const referer = headers.get('referer') ?? '';
  if (!URL.canParse(referer) || new URL(referer).host !== headers.get('host')) return '/';
  const { pathname, search } = new URL(referer);
  return pathname.startsWith('//') ? '/' : pathname + search;
}
