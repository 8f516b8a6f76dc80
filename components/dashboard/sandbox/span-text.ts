import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

const UNITS = [
  { unit: 'days', seconds: 86_400 },
  { unit: 'hours', seconds: 3_600 },
  { unit: 'minutes', seconds: 60 },
  { unit: 'seconds', seconds: 1 },
] as const;

/** Returns a time span in words, with its two largest units: `42 seconds`, `3 days 4 hours`. @param seconds at least 1 */
export function spanText(seconds: number, locale: Locale): string {
  const t = translator(locale, 'SandboxTime');
  const first = UNITS.findIndex((one) => seconds >= one.seconds);
  let rest = seconds;
  const parts = UNITS.slice(first, first + 2).map((one) => {
    const count = Math.floor(rest / one.seconds);
    rest -= count * one.seconds;
    return count === 0 ? null : t(one.unit, { count });
  });
  return parts.filter((part) => part !== null).join(' ');
}
