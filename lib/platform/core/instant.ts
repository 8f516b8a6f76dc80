import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from './clock';
import { EAST_AFRICA_MS } from './east-african-day';

/**
 * The text formats of an instant. `iso` is ISO 8601 with an offset: `2026-11-20T14:05:09+03:00`. The others are East Africa Time without
 * an offset: `2026-11-20 14:05:09` (`year_first`), `20-11-2026 14:05:09` (`day_first`, also with slashes). Seconds are optional.
 */
export type InstantForm = 'iso' | 'year_first' | 'day_first';

const TIME = String.raw`(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.(?<fraction>\d{1,9}))?)?`;
const YEAR_FIRST = String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})`;
const PATTERNS: Readonly<Record<InstantForm, RegExp>> = {
  iso: new RegExp(String.raw`^${YEAR_FIRST}[T ]${TIME}(?:Z|(?<sign>[+-])(?<offsetHour>\d{2}):?(?<offsetMinute>\d{2}))$`),
  year_first: new RegExp(`^${YEAR_FIRST} ${TIME}$`),
  day_first: new RegExp(String.raw`^(?<day>\d{2})[-/](?<month>\d{2})[-/](?<year>\d{4}) ${TIME}$`),
};
const DAY = new RegExp(`^${YEAR_FIRST}$`);

/** Parses an instant to the millisecond. Returns null if the text has none of the formats, or if its date or time does not exist. */
export function parseInstant(text: string, forms: readonly InstantForm[]): Date | null {
  for (const form of forms) {
    const parts = PATTERNS[form].exec(text)?.groups;
    if (!parts) continue;
    const wall = wallClock(parts);
    if (wall === null) return null;
    if (form !== 'iso') return addMs(wall, -EAST_AFRICA_MS);
    const { sign, offsetHour = '0', offsetMinute = '0' } = parts;
    const offset = Number(offsetHour) * HOUR_MS + Number(offsetMinute) * MINUTE_MS;
    return offset >= DAY_MS || Number(offsetMinute) > 59 ? null : addMs(wall, sign === '-' ? offset : -offset);
  }
  return null;
}

/** Reads a text in the format `day_first` with its day as the month. Returns null for other formats, and if this date does not exist. */
export function parseSwapped(text: string): Date | null {
  const parts = PATTERNS.day_first.exec(text)?.groups;
  const wall = parts && wallClock({ ...parts, day: parts.month, month: parts.day });
  return wall ? addMs(wall, -EAST_AFRICA_MS) : null;
}

/** Returns the instant at which a day such as `2026-11-20` starts in East Africa, or null if the date does not exist. */
export function parseDay(text: string): Date | null {
  const parts = DAY.exec(text)?.groups;
  const wall = parts && wallClock(parts);
  return wall ? addMs(wall, -EAST_AFRICA_MS) : null;
}

/** Returns null for dates that do not exist. Date.UTC alone would read 31 April as 1 May. */
function wallClock({ year, month, day, hour = '0', minute = '0', second = '0', fraction = '0' }: Record<string, string | undefined>) {
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  const [y, mo, d, h, mi, s] = [Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second)];
  const instant = new Date(Date.UTC(y, mo - 1, d, h, mi, s, ms));
  const same = instant.getUTCFullYear() === y && instant.getUTCMonth() === mo - 1 && instant.getUTCDate() === d;
  return same && h < 24 && mi < 60 && s < 60 ? instant : null;
}
