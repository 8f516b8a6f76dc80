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

/** Divides a list that is sorted by time into one list for each calendar day in East Africa. Pure. */
export function byDay<T extends { readonly at: Date }>(sorted: readonly T[]): [T, ...T[]][] {
  const days: [T, ...T[]][] = [];
  for (const item of sorted) {
    const day = days.at(-1);
    if (day && eastAfricanDay(day[0].at) === eastAfricanDay(item.at)) day.push(item);
    else days.push([item]);
  }
  return days;
}
