import { isLocale, type Locale } from '@/lib/i18n/locale';
import { cookiesOf, preferenceCookie, preferenceOf } from './cookies';

/** The cookie with the language of the pages for customers. The dashboard has another cookie, because a shop's device may show both. */
export const PAY_LANGUAGE_COOKIE = 'bili-pay-lang';

/** Returns the language in the address (`lang`), otherwise the language in the cookie. Returns null if neither is there. */
export function chosenLanguage(query: URLSearchParams, headers: Headers, base: URL): Locale | null {
  const asked = query.get('lang');
  if (isLocale(asked)) return asked;
  const remembered = preferenceOf(cookiesOf(headers), PAY_LANGUAGE_COOKIE, base);
  return isLocale(remembered) ? remembered : null;
}

/**
 * Stores the language of the address in a cookie on the customer's device, if the customer opened the address from one of our own pages.
 * Links on a shop's site and requests of the page's script do not change the stored language.
 */
export function rememberLanguage(
  response: Response,
  { query, headers, base }: { query: URLSearchParams; headers: Headers; base: URL },
): void {
  const asked = query.get('lang');
  if (!isLocale(asked) || preferenceOf(cookiesOf(headers), PAY_LANGUAGE_COOKIE, base) === asked) return;
  // Old browsers do not send the Sec-Fetch headers. Without these headers, a request is handled as if one of our own pages had sent it.
  const page = (headers.get('sec-fetch-dest') ?? 'document') === 'document';
  const own = (headers.get('sec-fetch-site') ?? 'same-origin') === 'same-origin';
  if (page && own) response.headers.append('set-cookie', preferenceCookie(PAY_LANGUAGE_COOKIE, asked, base));
}
