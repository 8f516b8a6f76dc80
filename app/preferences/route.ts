import { readBody } from '@/lib/http/body';
import { preferenceCookie } from '@/lib/http/cookies';
import { failureResponse } from '@/lib/http/errors';
import { readFields } from '@/lib/http/read-form';
import { requestId } from '@/lib/http/request-facts';
import { isSameOrigin } from '@/lib/http/same-origin';
import { isLocale } from '@/lib/i18n/locale';
import { LANGUAGE_COOKIE } from '@/lib/server/cookie-names';
import { isTheme, THEME_COOKIE } from '@/lib/server/preferences';
import { webRuntime } from '@/lib/server/web-runtime';

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
