import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import { formatInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';

/** Returns when something is possible again, rounded up to a whole minute. */
export function waitTime(until: Date, locale: Locale): string {
  const over = until.getTime() % MINUTE_MS;
  return formatInstant(over === 0 ? until : addMs(until, MINUTE_MS - over), locale);
}

/** Returns the instant of a query parameter if it is in the future, otherwise null. */
export function readUntil(value: string | string[] | undefined, now: Date): Date | null {
  if (typeof value !== 'string') return null;
  const until = new Date(value);
  return until > now ? until : null;
}
