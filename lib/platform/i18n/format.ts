import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { EAST_AFRICA_MS } from '@/lib/platform/core/east-african-day';
import { SENTI_PER_SHILLING, type Senti } from '@/lib/platform/core/money';
import type { Locale } from './locale';

/** Formats a whole number as `5,000`. */
export function groupDigits(whole: bigint): string {
  return whole.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** All instants are shown in East Africa Time. */
const TIME_ZONE = 'Africa/Dar_es_Salaam';

export const CURRENCY = 'TZS';

/** Formats money as `TZS 5,000`, with decimals only if there are any. */
export function formatMoney(amount: Senti): string {
  return `${amount < 0n ? '−' : ''}${CURRENCY}\u00a0${formatAmount(amount < 0n ? -amount : amount)}`;
}

/** Formats money without the currency, as `5,000`, for columns whose heading names the currency. */
export function formatAmount(amount: Senti): string {
  const absolute = amount < 0n ? -amount : amount;
  const cents = absolute % SENTI_PER_SHILLING;
  const whole = groupDigits(absolute / SENTI_PER_SHILLING);
  return `${amount < 0n ? '−' : ''}${whole}${cents === 0n ? '' : `.${cents.toString().padStart(2, '0')}`}`;
}

/** Formats an instant as `20 Nov 2026, 14:05` in the reader's language, East Africa Time. A line can break only after the comma. */
export function formatInstant(instant: Date, locale: Locale): string {
  return keepTogether(instantFormat(locale, 'short').format(instant));
}

/** Formats an instant with seconds: `20 Nov 2026, 14:05:09`. */
export function formatExactInstant(instant: Date, locale: Locale): string {
  return keepTogether(instantFormat(locale, 'medium').format(instant));
}

/** Replaces the spaces of a date by non-breaking spaces, except for the space between date and time. */
function keepTogether(date: string): string {
  return date.replace(/(?<!,) /g, '\u00a0');
}

/** Formats a time as `14:05`, or `14:05:30` if its seconds matter, in East Africa Time. */
export function formatClock(instant: Date, exactly: 'minute' | 'second' = 'minute'): string {
  const east = new Date(instant.getTime() + EAST_AFRICA_MS);
  return east.toISOString().slice(11, exactly === 'minute' ? 16 : 19);
}

/** Formats a day as `20 Nov 2026`, in East Africa Time. */
export function formatDay(instant: Date, locale: Locale): string {
  return keepTogether(new Intl.DateTimeFormat(TAGS[locale], { dateStyle: 'medium', timeZone: TIME_ZONE }).format(instant));
}

/**
 * Formats an instant for lists, relative to today in East Africa Time: `today 14:05`, `yesterday 14:05`, `20 Nov 14:05`, and with the year
 * if it is not the current year: `20 Nov 2025`.
 */
export function formatRecent(instant: Date, now: Date, locale: Locale): string {
  const [day, today] = [instant, now].map((at) => Math.floor((at.getTime() + EAST_AFRICA_MS) / DAY_MS));
  const days = (day ?? 0) - (today ?? 0);
  const clock = formatClock(instant);
  if (days === 0 || days === -1) return `${new Intl.RelativeTimeFormat(TAGS[locale], { numeric: 'auto' }).format(days, 'day')} ${clock}`;
  const [year, thisYear] = [instant, now].map((at) => new Date(at.getTime() + EAST_AFRICA_MS).getUTCFullYear());
  const date = new Intl.DateTimeFormat(TAGS[locale], {
    day: 'numeric',
    month: 'short',
    timeZone: TIME_ZONE,
    ...(year !== thisYear && { year: 'numeric' }),
  }).format(instant);
  return year === thisYear ? `${date} ${clock}` : date;
}

/** Formats an instant of the last hour as `3 min ago`, and any other one as `formatRecent` does. */
export function formatAgo(instant: Date, now: Date, locale: Locale): string {
  const ago = now.getTime() - instant.getTime();
  if (ago < 0 || ago >= HOUR_MS) return formatRecent(instant, now, locale);
  const relative = new Intl.RelativeTimeFormat(TAGS[locale], { numeric: 'auto', style: 'short' });
  return ago < MINUTE_MS ? relative.format(0, 'second') : relative.format(-Math.floor(ago / MINUTE_MS), 'minute');
}

/** Formats a day as the heading of a list: `Today`, `Yesterday`, `Friday 20 November`, and with the year if it is not the current year. */
export function formatDayHeading(instant: Date, now: Date, locale: Locale): string {
  const [day, today] = [instant, now].map((at) => Math.floor((at.getTime() + EAST_AFRICA_MS) / DAY_MS));
  const days = (day ?? 0) - (today ?? 0);
  const [year, thisYear] = [instant, now].map((at) => new Date(at.getTime() + EAST_AFRICA_MS).getUTCFullYear());
  const heading =
    days === 0 || days === -1
      ? new Intl.RelativeTimeFormat(TAGS[locale], { numeric: 'auto' }).format(days, 'day')
      : new Intl.DateTimeFormat(TAGS[locale], {
          weekday: 'long',
          day: 'numeric',
          month: 'long',
          timeZone: TIME_ZONE,
          ...(year !== thisYear && { year: 'numeric' }),
        }).format(instant);
  return heading.charAt(0).toUpperCase() + heading.slice(1);
}

/** Formats part of a date in East Africa Time, such as the name of the weekday. */
export function formatDateParts(
  instant: Date,
  locale: Locale,
  parts: Pick<Intl.DateTimeFormatOptions, 'weekday' | 'day' | 'month'>,
): string {
  return new Intl.DateTimeFormat(TAGS[locale], { ...parts, timeZone: TIME_ZONE }).format(instant);
}

const TAGS: Readonly<Record<Locale, string>> = { sw: 'sw-TZ', en: 'en-GB' };
const formats = new Map<string, Intl.DateTimeFormat>();

function instantFormat(locale: Locale, timeStyle: 'short' | 'medium'): Intl.DateTimeFormat {
  const known = formats.get(`${locale} ${timeStyle}`);
  if (known) return known;
  const format = new Intl.DateTimeFormat(TAGS[locale], {
    dateStyle: 'medium',
    timeStyle,
    hourCycle: 'h23',
    timeZone: TIME_ZONE,
  });
  formats.set(`${locale} ${timeStyle}`, format);
  return format;
}
