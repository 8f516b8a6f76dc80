/** Maximum length of a reason that a person gives for an action, characters. */
export const REASON_MAX = 200;

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
