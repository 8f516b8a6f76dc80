import { addMs, DAY_MS } from '@/lib/core/clock';
import { EAST_AFRICA_MS, eastAfricanDay } from '@/lib/core/east-african-day';

/** A day in East Africa Time: `2026-11-21`. */
export type Day = string;

/** The time from `from` (inclusive) to `to` (exclusive). */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

export function startOf(day: Day): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - EAST_AFRICA_MS);
}

export function addDays(day: Day, days: number): Day {
  return eastAfricanDay(addMs(startOf(day), days * DAY_MS));
}

/** Returns every day from the first to the last, both inclusive; none if the last is before the first. */
export function daysFrom(first: Day, last: Day): Day[] {
  const count = Math.round((startOf(last).getTime() - startOf(first).getTime()) / DAY_MS) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, n) => addDays(first, n));
}

export function spanOf(day: Day): Span {
  return { from: startOf(day), to: startOf(addDays(day, 1)) };
}
