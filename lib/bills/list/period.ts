import { addMs, DAY_MS } from '@/lib/core/clock';
import { EAST_AFRICA_MS } from '@/lib/core/east-african-day';
import { parseDay } from '@/lib/core/instant';

/** Periods relative to today. A saved view with such a period always uses the current date. */
export const PRESETS = ['today', 'yesterday', 'this_week', 'this_month', 'last_month', 'last_7_days', 'last_30_days'] as const;
type Preset = (typeof PRESETS)[number];

/** The first and the last day of a period, as `2026-11-20`. Null means that the period has no start or no end. */
interface DayRange {
  readonly from: string | null;
  readonly to: string | null;
}

export type Period = Preset | DayRange;

/** Instants from `from` (inclusive) until `until` (exclusive). */
export interface InstantRange {
  readonly from: Date | null;
  readonly until: Date | null;
}

export function isPreset(text: string): text is Preset {
  return PRESETS.some((preset) => preset === text);
}

/** Returns the instants of a period. Days start at midnight East Africa Time, weeks on Monday. */
export function periodInstants(period: Period, now: Date): InstantRange {
  if (typeof period !== 'string') {
    const to = period.to === null ? null : parseDay(period.to);
    return { from: period.from === null ? null : parseDay(period.from), until: to && addMs(to, DAY_MS) };
  }
  const east = addMs(now, EAST_AFRICA_MS);
  const [year, month, day] = [east.getUTCFullYear(), east.getUTCMonth(), east.getUTCDate()];
  // Date.UTC accepts days and months out of range: day 0, for example, is the last day of the month before.
  const starts = (y: number, m: number, d: number) => new Date(Date.UTC(y, m, d) - EAST_AFRICA_MS);
  const sinceMonday = (east.getUTCDay() + 6) % 7;
  switch (period) {
    case 'today':
      return { from: starts(year, month, day), until: starts(year, month, day + 1) };
    case 'yesterday':
      return { from: starts(year, month, day - 1), until: starts(year, month, day) };
    case 'this_week':
      return { from: starts(year, month, day - sinceMonday), until: starts(year, month, day - sinceMonday + 7) };
    case 'this_month':
      return { from: starts(year, month, 1), until: starts(year, month + 1, 1) };
    case 'last_month':
      return { from: starts(year, month - 1, 1), until: starts(year, month, 1) };
    // The last 7 and the last 30 days include today.
    case 'last_7_days':
      return { from: starts(year, month, day - 6), until: starts(year, month, day + 1) };
    case 'last_30_days':
      return { from: starts(year, month, day - 29), until: starts(year, month, day + 1) };
  }
}
