import { DAY_MS, HOUR_MS } from './clock';
import { rememberLast } from './remember-last';

/** East Africa Time is UTC+3 without daylight saving time, so every day has 24 hours. */
export const EAST_AFRICA_MS = 3 * HOUR_MS;

const nameOfDay = rememberLast((number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10));

/** Returns the calendar day of an instant in East Africa, for example `2026-11-20`. Pure. */
export function eastAfricanDay(instant: Date): string {
  return nameOfDay(Math.floor((instant.getTime() + EAST_AFRICA_MS) / DAY_MS));
}
