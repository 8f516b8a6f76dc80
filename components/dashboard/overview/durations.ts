import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

/** Returns a duration as people say it: `40 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function durationText(ms: number, locale: Locale): string {
  const t = translator(locale, 'Overview');
  if (ms < MINUTE_MS) return t('seconds', { count: Math.round(ms / SECOND_MS) });
  if (ms < HOUR_MS) return t('minutes', { count: Math.round(ms / MINUTE_MS) });
  if (ms < 2 * DAY_MS) return t('hours', { hours: Math.floor(ms / HOUR_MS), minutes: Math.floor((ms % HOUR_MS) / MINUTE_MS) });
  return t('daysHours', { days: Math.floor(ms / DAY_MS), hours: Math.floor((ms % DAY_MS) / HOUR_MS) });
}
