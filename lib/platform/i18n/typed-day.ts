import { parseDay } from '@/lib/platform/core/instant';
import type { Locale } from './locale';

/** The names of months and weekdays. `Intl` is not used, because a browser may have other names than the server that rendered the page. */
const MONTHS: Readonly<Record<Locale, readonly string[]>> = {
  en: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'],
  sw: ['Januari', 'Februari', 'Machi', 'Aprili', 'Mei', 'Juni', 'Julai', 'Agosti', 'Septemba', 'Oktoba', 'Novemba', 'Desemba'],
};
const WEEKDAYS: Readonly<Record<Locale, readonly string[]>> = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  sw: ['Jumapili', 'Jumatatu', 'Jumanne', 'Jumatano', 'Alhamisi', 'Ijumaa', 'Jumamosi'],
};
const NAMES = Object.values(MONTHS).map((names) => names.map((name) => name.toLowerCase()));
const SHORTEST_NAME = 3;

const TEXT_MAX_LENGTH = 40;
/** Whatever separates the parts of a date: `26/11/2026`, `26-11-26`, `26.11.2026`, `26 Nov 2026`. */
const SEPARATORS = /[\s/.,\-\u2010-\u2015\u00a0]+/;
/** A date without separators, because the keypads of some phones have digits only: `26112026`, `261126`. */
const DIGITS_ONLY = /^(\d{2})(\d{2})(\d{2}|\d{4})$/;

/**
 * Reads a day as people write it, and returns it as `2026-11-26`; null if it is no date. The day always comes before the month, so 11/12 is
 * 11 December. Only a year of four digits can come first: `2026-11-26`. Months can have Swahili or English names, and a weekday before the
 * date is ignored.
 * @param today if it is given, a date without a year is accepted: it gets the year that is nearest to this day. Addresses must not depend on
 *   the day on which they are opened, so they are read without it.
 */
export function readDay(text: string, today?: string): string | null {
  if (text.length > TEXT_MAX_LENGTH) return null;
  const [first = '', ...rest] = text.trim().split(SEPARATORS).filter(Boolean);
  if (isWeekday(first)) return readParts(rest, today);
  const [, day, month, year] = rest.length === 0 ? (DIGITS_ONLY.exec(first) ?? []) : [];
  return readParts(day && month && year ? [day, month, year] : [first, ...rest], today);
}

function readParts(parts: readonly string[], today: string | undefined): string | null {
  if (parts.length < 2 || parts.length > 3) return null;
  const yearFirst = parts.length === 3 && /^\d{4}$/.test(parts[0] ?? '');
  const [day = '', month = '', year] = yearFirst ? [...parts].reverse() : parts;
  const number = readMonth(month);
  if (!/^\d{1,2}$/.test(day) || number === null) return null;
  const inYear = (full: number) => existing(`${full}`.padStart(4, '0'), number, day);
  if (year !== undefined) return /^(?:\d{2}|\d{4})$/.test(year) ? inYear(year.length === 2 ? 2000 + Number(year) : Number(year)) : null;
  if (today === undefined) return null;
  const thisYear = Number(today.slice(0, 4));
  const distance = (one: string) => Math.abs(Date.parse(one) - Date.parse(today));
  const near = [thisYear - 1, thisYear, thisYear + 1].flatMap((full) => inYear(full) ?? []);
  return near.sort((one, other) => distance(one) - distance(other))[0] ?? null;
}

function existing(year: string, month: number, day: string): string | null {
  const iso = `${year}-${`${month}`.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return parseDay(iso) === null ? null : iso;
}

/** Returns the number of a month, given as a number or as the beginning of a name; null if it is neither. */
function readMonth(text: string): number | null {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const typed = text.toLowerCase();
  if (typed.length < SHORTEST_NAME) return null;
  const found = new Set(NAMES.flatMap((names) => names.flatMap((name, index) => (name.startsWith(typed) ? [index + 1] : []))));
  const [month] = found;
  return found.size === 1 && month !== undefined ? month : null;
}

function isWeekday(text: string): boolean {
  const typed = text.toLowerCase();
  return (
    typed.length >= SHORTEST_NAME && Object.values(WEEKDAYS).some((names) => names.some((name) => name.toLowerCase().startsWith(typed)))
  );
}

/** Returns a day such as `2026-11-26` as a field shows it: `26/11/2026`. Returns any other text as it is. */
export function writeDay(text: string): string {
  return parseDay(text) === null ? text : text.split('-').reverse().join('/');
}

/** Returns a day such as `2026-11-26` in words: `Alhamisi 26 Novemba 2026`. */
export function dayInWords(day: string, locale: Locale): string {
  const [year, month, date] = day.split('-').map(Number);
  const weekday = new Date(Date.parse(`${day}T00:00:00Z`)).getUTCDay();
  return `${WEEKDAYS[locale][weekday]} ${date} ${MONTHS[locale][(month ?? 1) - 1]} ${year}`;
}
