import { eastAfricanDay } from '@/lib/core/east-african-day';
import { formatClock, formatDateParts, formatDay } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { addDays, type Day, startOf } from '@/lib/overview/periods';
import type { Range } from '@/lib/overview/ranges';

/** Returns a day as `16 Nov`, or with its year if that is not the current one. */
function dayText(day: Day, today: Day, locale: Locale): string {
  if (day.slice(0, 4) !== today.slice(0, 4)) return formatDay(startOf(day), locale);
  return formatDateParts(startOf(day), locale, { day: 'numeric', month: 'short' });
}

/** Returns a range of days as `16–22 Nov` or `26 Oct – 22 Nov`. */
export function daysText({ first, last }: { readonly first: Day; readonly last: Day }, now: Date, locale: Locale): string {
  const today = eastAfricanDay(now);
  const t = translator(locale, 'Overview');
  if (first === last) return first === today ? t('range_today') : dayText(first, today, locale);
  const sameMonth = first.slice(0, 7) === last.slice(0, 7) && first.slice(0, 4) === today.slice(0, 4);
  if (sameMonth) return `${Number(first.slice(8))}–${dayText(last, today, locale)}`;
  return `${dayText(first, today, locale)} – ${dayText(last, today, locale)}`;
}

/** Returns the name of the days with which a range is compared: `yesterday until 14:05`, `9–15 Nov`. */
export function beforeText({ before }: Range, until: Date | null, now: Date, locale: Locale): string {
  const t = translator(locale, 'Overview');
  const { first, last } = before;
  const yesterday = addDays(eastAfricanDay(now), -1);
  const days = first === last && first === yesterday ? t('yesterday') : daysText(before, now, locale);
  return until === null ? days : t('comparedUntil', { days, time: formatClock(until) });
}
