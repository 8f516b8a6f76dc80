import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import { type Locale, translator } from '@/lib/i18n/translator';

/** Returns `4 minutes`, `3 hours` or `2 days`. */
export function agoText(instant: Date, now: Date, locale: Locale): string {
  const t = translator(locale, 'KeyPage');
  const ms = Math.max(0, now.getTime() - instant.getTime());
  if (ms < HOUR_MS) return t('ago_minutes', { count: Math.floor(ms / MINUTE_MS) });
  if (ms < 2 * DAY_MS) return t('ago_hours', { count: Math.floor(ms / HOUR_MS) });
  return t('ago_days', { count: Math.floor(ms / DAY_MS) });
}
