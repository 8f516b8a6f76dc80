import { addMs, DAY_MS } from '@/lib/core/clock';
import { EAST_AFRICA_MS, eastAfricanDay } from '@/lib/core/east-african-day';

/** A day in East Africa Time: `2026-11-21`. */
export type Day = string;

/** The time from `from` (inclusive) to `to` (exclusive). */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** The periods of the charts and rates, in days including today. */
export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];
const USUAL_PERIOD: Period = 30;

export function readPeriod(text: string | null): Period {
  return PERIODS.find((days) => String(days) === text) ?? USUAL_PERIOD;
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

const INTERVALS = ['today', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The current day, week (from Monday) or month up to now, and the previous one up to the same time. */
export interface Comparison {
  readonly interval: Interval;
  readonly now: Span;
  readonly before: Span;
}

/** Returns the three comparisons. If the previous month is shorter than the elapsed time of this month, the whole previous month is compared. */
export function comparisonsAt(now: Date): Comparison[] {
  const today = eastAfricanDay(now);
  return INTERVALS.map((interval) => {
    const first = firstDay(interval, today);
    const start = startOf(first);
    const earlier = startOf(firstDay(interval, addDays(first, -1)));
    const sameTime = earlier.getTime() + (now.getTime() - start.getTime());
    return {
      interval,
      now: { from: start, to: now },
      before: { from: earlier, to: new Date(Math.min(sameTime, start.getTime())) },
    };
  });
}

function firstDay(interval: Interval, day: Day): Day {
  if (interval === 'today') return day;
  if (interval === 'month') return `${day.slice(0, 8)}01`;
  // 0 is Sunday.
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/**
 * Splits a span into whole days, which may be stored as sums, and the rest of its last day, which is not. The span must start at the
 * beginning of a day.
 */
export function cutIntoDays({ from, to }: Span): { readonly days: Day[]; readonly rest: Span } {
  const last = eastAfricanDay(to);
  return { days: daysFrom(eastAfricanDay(from), addDays(last, -1)), rest: { from: startOf(last), to } };
}
