/** A section of a page: its address, the page's title, its heading, and its text. */
export type Section = readonly [address: string, page: string, heading: string, text: string];

const IN_HEADING = 12;
const IN_PAGE = 5;
const IN_TEXT = 1;

/**
 * Returns the sections with all typed words, best match first. A typed word matches the start of a word in the section. If no section has
 * all typed words, returns the sections with at least one of them.
 */
export function findSections(sections: readonly Section[], typed: string): Section[] {
  const words = normalize(typed).split(' ').filter(Boolean);
  if (words.length === 0) return [];
  const scored = sections.map((section) => ({ section, scores: words.map((word) => score(section, word)) }));
  const all = scored.filter(({ scores }) => scores.every((one) => one > 0));
  const found = all.length > 0 ? all : scored.filter(({ scores }) => scores.some((one) => one > 0));
  return found.sort((a, b) => sum(b.scores) - sum(a.scores)).map(({ section }) => section);
}

function score([, page, heading, text]: Section, word: string): number {
  return (
    contains(heading, word) * IN_HEADING + contains(page, word) * (heading === '' ? IN_HEADING : IN_PAGE) + contains(text, word) * IN_TEXT
  );
}

/** Returns 2 for a whole word, 1 for the start of a word, 0 otherwise. */
function contains(text: string, word: string): number {
  const normal = ` ${normalize(text)} `;
  if (normal.includes(` ${word} `)) return 2;
  return normal.includes(` ${word}`) ? 1 : 0;
}

function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
