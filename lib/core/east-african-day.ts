import { addMs, DAY_MS, HOUR_MS } from './clock';

/** East Africa Time is UTC+3 without daylight saving time, so every day has 24 hours. */
export const EAST_AFRICA_MS = 3 * HOUR_MS;

/** Returns the first instant of an instant's calendar day in East Africa. Pure. */
export function eastAfricanDayStart(instant: Date): Date {
  const east = instant.getTime() + EAST_AFRICA_MS;
  return new Date(east - (east % DAY_MS) - EAST_AFRICA_MS);
}

/** Returns the calendar day of an instant in East Africa, for example `2026-11-20`. Pure. */
export function eastAfricanDay(instant: Date): string {
  return addMs(instant, EAST_AFRICA_MS).toISOString().slice(0, 10);
}
