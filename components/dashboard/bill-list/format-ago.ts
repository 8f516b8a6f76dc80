import { HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import { formatRecent } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';

/** Formats an instant of the last hour as `3 min ago`, and an earlier one as `today 05:41`. */
export function formatAgo(instant: Date, locale: Locale, now: Date): string {
  const t = translator(locale, 'BillRows');
  const ago = now.getTime() - instant.getTime();
  if (ago < MINUTE_MS) return t('justNow');
  return ago < HOUR_MS ? t('minutesAgo', { count: Math.floor(ago / MINUTE_MS) }) : formatRecent(instant, now, locale);
}
