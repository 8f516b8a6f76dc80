import type { Settings } from '@/lib/platform/config/settings';

/** The language of the dashboard and the home page. */
export const LANGUAGE_COOKIE = 'bili-lang';
/** The theme of the dashboard and the pages for signing in. */
export const THEME_COOKIE = 'bili-theme';

export const THEMES = ['system', 'light', 'dark'] as const;
/** `system` follows the browser's setting. */
export type Theme = (typeof THEMES)[number];

export function isTheme(text: string | null | undefined): text is Theme {
  return THEMES.some((theme) => theme === text);
}

/**
 * Returns the cookie names. They contain the port because cookies ignore it: two deployments on one machine must not sign each other out.
 */
export function cookieNames({ LIVE_BASE_URL, PORT }: Pick<Settings, 'LIVE_BASE_URL' | 'PORT'>): {
  session: string;
  csrf: string;
  callback: string;
  device: string;
  typed: string;
  cashier: string;
} {
  const prefix = `${LIVE_BASE_URL.protocol === 'https:' ? '__Host-' : ''}bili-${PORT}`;
  return {
    session: `${prefix}.session`,
    csrf: `${prefix}.csrf`,
    callback: `${prefix}.callback`,
    device: `${prefix}.device`,
    typed: `${prefix}.typed`,
    cashier: `${prefix}.cashier`,
  };
}

/** Returns the options that all our cookies have. */
export function cookieOptions({ LIVE_BASE_URL }: Pick<Settings, 'LIVE_BASE_URL'>) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: LIVE_BASE_URL.protocol === 'https:' } as const;
}
