import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { EAST_AFRICA_MS, eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { readDay } from '@/lib/platform/i18n/typed-day';

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

/** The ranges with a link of their own. `week` and `month` are the last 7 and 30 days, including today. */
export const NAMED_RANGES = ['today', 'yesterday', 'week', 'month'] as const;
type RangeName = (typeof NAMED_RANGES)[number];
const DEFAULT_RANGE: RangeName = 'week';

/** What a range is compared with. `before`: the same number of days just before the range. `month`: the same days one month earlier. */
export const COMPARISONS = ['before', 'month'] as const;
type Comparison = (typeof COMPARISONS)[number];

/** The maximum number of days in a range that somebody chooses. */
export const RANGE_DAYS_MAX = 366;

/** The days from `first` to `last`, both inclusive, and the earlier days with which they are compared. All in East Africa Time. */
export interface Range {
  readonly name: RangeName | 'custom';
  readonly first: Day;
  readonly last: Day;
  readonly comparison: Comparison;
  readonly before: { readonly first: Day; readonly last: Day };
}

/** The query parameters that choose the range of the overview. */
export interface AskedRange {
  readonly range?: string | null;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly compare?: string | null;
}

/**
 * Reads the range from the query parameters. Returns the default range if they contain none or an invalid one. Without a valid last day,
 * the range ends today. A range that is too long loses its first days.
 */
export function readRange({ range, from, to, compare }: AskedRange, today: Day): Range {
  const comparison = COMPARISONS.find((one) => one === compare) ?? 'before';
  const name = NAMED_RANGES.find((one) => one === range) ?? null;
  const chosen = name === null ? readDays(from ?? null, to ?? null, today) : null;
  if (chosen !== null) return rangeOf('custom', chosen, comparison);
  return namedRange(name ?? DEFAULT_RANGE, today, comparison);
}

function namedRange(name: RangeName, today: Day, comparison: Comparison): Range {
  const last = name === 'yesterday' ? addDays(today, -1) : today;
  const days = { today: 1, yesterday: 1, week: 7, month: 30 }[name];
  return rangeOf(name, { first: addDays(last, 1 - days), last }, comparison);
}

/** Returns the query parameters that choose a range. Leaves out parameters that have their default value. */
export function formatRange({ name, first, last, comparison }: Pick<Range, 'name' | 'first' | 'last' | 'comparison'>): URLSearchParams {
  const params = new URLSearchParams(name === 'custom' ? { from: first, to: last } : name === DEFAULT_RANGE ? {} : { range: name });
  if (comparison !== 'before') params.set('compare', comparison);
  return params;
}

/** The earliest day of a range. No bill is older, and some programs reject dates such as 0001-01-01. */
const EARLIEST: Day = '2000-01-01';

function readDays(from: string | null, to: string | null, today: Day): { first: Day; last: Day } | null {
  const valid = (typed: string | null) => {
    const day = readDay(typed ?? '');
    return day !== null && day >= EARLIEST && day <= today ? day : null;
  };
  const first = valid(from);
  if (first === null) return null;
  const last = valid(to) ?? today;
  if (last < first) return null;
  const earliest = addDays(last, 1 - RANGE_DAYS_MAX);
  return { first: first < earliest ? earliest : first, last };
}

function rangeOf(name: Range['name'], { first, last }: { first: Day; last: Day }, comparison: Comparison): Range {
  const days = daysFrom(first, last).length;
  const before =
    comparison === 'month'
      ? { first: monthBefore(first), last: monthBefore(last) }
      : { first: addDays(first, -days), last: addDays(first, -1) };
  return { name, first, last, comparison, before };
}

/** Returns the same day of the month before, or the last day of that month if it has no such day. */
function monthBefore(day: Day): Day {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastOfMonth = new Date(Date.UTC(year, month - 1, 0));
  lastOfMonth.setUTCDate(Math.min(date, lastOfMonth.getUTCDate()));
  return lastOfMonth.toISOString().slice(0, 10);
}

/**
 * Returns the part of the day `before.last` with which today is compared, if the range ends today: from midnight to the present time of
 * day, because today is not over. `before` is the period with which the range is compared. Returns null if the range ends before today:
 * then `before.last` counts as a whole.
 */
export function unfinishedDay({ last, before }: Range, now: Date): Span | null {
  if (last !== eastAfricanDay(now)) return null;
  const from = startOf(before.last);
  return { from, to: addMs(from, Math.min(now.getTime() - startOf(last).getTime(), DAY_MS)) };
}
