import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/translator';

/** @returns from when on something may be tried again, in whole minutes: never one that is still too early. */
export function waitTime(until: Date, locale: Locale): string {
  const over = until.getTime() % MINUTE_MS;
  return formatInstant(over === 0 ? until : addMs(until, MINUTE_MS - over), locale);
}

/** @returns the instant in a page's query that is still to come, or null. */
export function readUntil(value: string | string[] | undefined, now: Date): Date | null {
  if (typeof value !== 'string') return null;
  const until = new Date(value);
  return until > now ? until : null;
}
