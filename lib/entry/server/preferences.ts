import { headers } from 'next/headers';
import { cookiesOf, preferenceOf } from '@/lib/entry/http/cookies';
import { chooseLocale, type Locale } from '@/lib/platform/i18n/locale';
import { isTheme, LANGUAGE_COOKIE, THEME_COOKIE, type Theme } from './cookie-names';
import { webRuntime } from './web-runtime';

/** Returns the language of the page: the chosen one, otherwise the browser's. */
export async function pageLocale(): Promise<Locale> {
  return chooseLocale(await preference(LANGUAGE_COOKIE), (await headers()).get('accept-language'));
}

/** Returns the chosen theme. */
export async function pageTheme(): Promise<Theme> {
  const chosen = await preference(THEME_COOKIE);
  return isTheme(chosen) ? chosen : 'system';
}

async function preference(name: string): Promise<string | undefined> {
  return preferenceOf(cookiesOf(await headers()), name, webRuntime().settings.LIVE_BASE_URL);
}
