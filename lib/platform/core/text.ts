/** Maximum length of a reason that a person gives for an action, characters. */
export const REASON_MAX = 200;

/** Matches characters that a reader does not see. Emoji contain some of them, for example variation selectors. */
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Normalises a number that a person typed or pasted: full-width and Arabic digits become ASCII digits, and spaces and invisible characters
 * disappear. Letters and punctuation stay.
 */
export function normalizeTypedNumber(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(INVISIBLE, '')
    .replace(/\p{Z}/gu, '');
}

/** Puts a text on one line for a screen with plain text: without invisible characters and lone surrogates, and with single spaces. */
export function visibleLine(text: string): string {
  return text
    .replace(INVISIBLE, ' ')
    .replace(/[\s\p{Cs}]+/gu, ' ')
    .trim();
}

/** Hebrew, Arabic and related letters, and the characters that change the direction of a text. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Keeps the direction of a name from changing the order of the sentence that contains it: Unicode Standard Annex 9, 2.6. */
export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** Puts a text on one line, and removes characters that a database or page cannot store. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** Matches only from the first space of a run. Matching from every space would take quadratic time. */
const TRAILING_SPACES = /(?<! ) +\n/g;

/** Normalises a text of several lines: no trailing spaces, and at most one empty line in a row. */
export function manyLines(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .replace(TRAILING_SPACES, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
