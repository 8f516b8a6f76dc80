import { addMs, HOUR_MS } from './clock';

/** East Africa Time is three hours before UTC, the whole year round: every day has 24 hours. */
export const EAST_AFRICA_MS = 3 * HOUR_MS;

/** Pure. @returns the day that an instant is in, in East Africa: `2026-11-20`. */
export function eastAfricanDay(instant: Date): string {
  return addMs(instant, EAST_AFRICA_MS).toISOString().slice(0, 10);
}
