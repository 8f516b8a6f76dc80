/** Longest reason that somebody gives for what they do, characters. */
export const REASON_MAX = 200;

/** @returns what somebody wrote, on one line, without what no database or page can hold. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** Searched only from where a run of spaces begins: from each of its spaces, it would take time that grows with the square of the run. */
const TRAILING_SPACES = /(?<! ) +\n/g;

/** @returns what somebody wrote, with its lines, at most one empty one between two of them. */
export function manyLines(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .replace(TRAILING_SPACES, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
