import type { Theme } from '@/lib/entry/server/cookie-names';

const DARK = '(prefers-color-scheme:dark)';

/**
 * Returns a style for a chosen theme. The styles of public pages follow the browser's setting, because customers choose no theme: their
 * media queries for dark mode apply never in the light theme and always in the dark one.
 */
export function inTheme(style: string, theme: Theme): string {
  if (theme === 'system') return style;
  return style
    .replaceAll(DARK, theme === 'dark' ? '(min-width:0)' : '(max-width:0)')
    .replace('color-scheme:light dark', `color-scheme:${theme}`);
}
