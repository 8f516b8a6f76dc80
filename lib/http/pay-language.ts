import { DAY_MS, SECOND_MS } from '@/lib/core/clock';
import { isLocale, type Locale } from '@/lib/i18n/locale';
import { cookiesOf } from './cookies';

/** The language of the pages for customers. The dashboard has a cookie of its own, because a shop's device may show both. */
export const PAY_LANGUAGE_COOKIE = 'bili-pay-lang';
const MAX_AGE_S = (365 * DAY_MS) / SECOND_MS;

/** Returns the language that the customer chose: that of the address, otherwise the remembered one. Null if there is none. */
export function chosenLanguage(query: URLSearchParams, headers: Headers): Locale | null {
  const asked = query.get('lang');
  if (isLocale(asked)) return asked;
  const remembered = cookiesOf(headers).get(PAY_LANGUAGE_COOKIE);
  return isLocale(remembered) ? remembered : null;
}

/**
 * Remembers the language of the address on the customer's device, if one of our own pages led there. A shop's link with a language does
 * not change what the customer chose. Requests that the page's script sends do not change it either.
 */
export function rememberLanguage(response: Response, { query, headers }: { query: URLSearchParams; headers: Headers }): void {
  const asked = query.get('lang');
  if (!isLocale(asked) || cookiesOf(headers).get(PAY_LANGUAGE_COOKIE) === asked) return;
  // Old browsers do not send these headers. Their requests count as pages.
  const page = (headers.get('sec-fetch-dest') ?? 'document') === 'document';
  const own = (headers.get('sec-fetch-site') ?? 'same-origin') === 'same-origin';
  if (page && own)
    response.headers.append('set-cookie', `${PAY_LANGUAGE_COOKIE}=${asked}; Path=/; Max-Age=${MAX_AGE_S}; HttpOnly; SameSite=Lax`);
}
