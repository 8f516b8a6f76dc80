import { addMs, DAY_MS } from './clock';
import { parseDay, parseInstant } from './instant';
import { fail, ok, type Result } from './result';

/** A period from `from` (inclusive) to `to` (exclusive). */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Parses a period. Days are whole days in East Africa Time, so "from 1 to 30 November" is all of November. A time needs an
 * offset. If `to` is a time, it is exclusive. @returns the period, or a sentence that describes the problem.
 */
export function parsePeriod(from: string, to: string): Result<Period, string> {
  const start = parseDay(from) ?? parseInstant(from, ['iso']);
  const lastDay = parseDay(to);
  const end = lastDay ? addMs(lastDay, DAY_MS) : parseInstant(to, ['iso']);
  const invalid = start ? (end ? null : to) : from;
  if (invalid !== null || !start || !end)
    return fail(`"${invalid}" must be a day like 2026-11-20, or a time like 2026-11-20T14:00:00+03:00`);
  return start < end ? ok({ from: start, to: end }) : fail(`the period from ${from} to ${to} is empty`);
}

export function isWithin({ from, to }: Period, instant: Date): boolean {
  return instant >= from && instant < to;
}
