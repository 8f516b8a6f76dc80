import { headers } from 'next/headers';
import { cookiesOf, preferenceOf } from '@/lib/http/cookies';
import { chooseLocale, type Locale } from '@/lib/i18n/locale';
import { LANGUAGE_COOKIE } from './cookie-names';
import { webRuntime } from './web-runtime';

export const THEME_COOKIE = 'bili-theme';

export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

export function isTheme(text: string | null | undefined): text is Theme {
  return THEMES.some((theme) => theme === text);
}

/** Returns the language of the page: the chosen one, otherwise the browser's. */
export async function pageLocale(): Promise<Locale> {
  return chooseLocale(await preference(LANGUAGE_COOKIE), (await headers()).get('accept-language'));
}

/** Returns the chosen theme. `system` follows the browser's setting. */
export async function pageTheme(): Promise<Theme> {
  const chosen = await preference(THEME_COOKIE);
  return isTheme(chosen) ? chosen : 'system';
}

async function preference(name: string): Promise<string | undefined> {
  return preferenceOf(cookiesOf(await headers()), name, webRuntime().settings.LIVE_BASE_URL);
}
