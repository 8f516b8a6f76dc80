import { addMs, DAY_MS } from '@/lib/core/clock';
import { EAST_AFRICA_MS, eastAfricanDay } from '@/lib/core/east-african-day';

/** A day in East Africa Time: `2026-11-21`. */
export type Day = string;

/** From an instant until before another. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** How many days, today among them, the charts and rates can be about. */
export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];
const USUAL_PERIOD: Period = 30;

/** @returns the period that an address asks for, else the usual one. */
export function readPeriod(text: string | null): Period {
  return PERIODS.find((days) => String(days) === text) ?? USUAL_PERIOD;
}

/** @returns the instant at which a day begins. */
export function startOf(day: Day): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - EAST_AFRICA_MS);
}

export function addDays(day: Day, days: number): Day {
  return eastAfricanDay(addMs(startOf(day), days * DAY_MS));
}

/** @returns every day from the first to the last, both included; none when the last is before the first. */
export function daysFrom(first: Day, last: Day): Day[] {
  const count = Math.round((startOf(last).getTime() - startOf(first).getTime()) / DAY_MS) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, n) => addDays(first, n));
}

export function spanOf(day: Day): Span {
  return { from: startOf(day), to: startOf(addDays(day, 1)) };
}

const STRETCHES = ['today', 'week', 'month'] as const;
export type Stretch = (typeof STRETCHES)[number];

/** What has gone by of a day, a week (from Monday) or a month, and as much of the one before. */
export interface Comparison {
  readonly stretch: Stretch;
  readonly now: Span;
  readonly before: Span;
}

/** @returns the three comparisons at an instant. A month before that is shorter than what has gone by of this one counts as a whole. */
export function comparisonsAt(now: Date): Comparison[] {
  const today = eastAfricanDay(now);
  return STRETCHES.map((stretch) => {
    const first = firstDay(stretch, today);
    const start = startOf(first);
    const earlier = startOf(firstDay(stretch, addDays(first, -1)));
    const sameTime = earlier.getTime() + (now.getTime() - start.getTime());
    return {
      stretch,
      now: { from: start, to: now },
      before: { from: earlier, to: new Date(Math.min(sameTime, start.getTime())) },
    };
  });
}

function firstDay(stretch: Stretch, day: Day): Day {
  if (stretch === 'today') return day;
  if (stretch === 'month') return `${day.slice(0, 8)}01`;
  // 0 is a Sunday.
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/**
 * Cuts a span into whole days, which may have been added up, and the part of a day at its end, which has not. It has to begin
 * with a day.
 */
export function cutIntoDays({ from, to }: Span): { readonly days: Day[]; readonly rest: Span } {
  const last = eastAfricanDay(to);
  return { days: daysFrom(eastAfricanDay(from), addDays(last, -1)), rest: { from: startOf(last), to } };
}
