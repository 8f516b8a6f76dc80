/**
 * Folds a text for searching: no accents, no upper case, and only letters and digits. So `ord 7`, `ORD-7` and `órd7` are equal. Each
 * character is folded on its own, so that {@link findFragment} can map a match back to the original text.
 */
export function fold(text: string): string {
  return [...text].map(foldCharacter).join('');
}

function foldCharacter(character: string): string {
  return character
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** A part of a text, as indexes of its UTF-16 units. */
export interface Mark {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the first part of a text that matches a folded fragment; with `last`, the last one. Returns null if there is none, or if the
 * fragment is empty.
 */
export function findFragment(text: string, fragment: string, { last = false } = {}): Mark | null {
  const folded: string[] = [];
  /** For each UTF-16 unit of the folded text, the position of its character in the original text. */
  const origins: Mark[] = [];
  let from = 0;
  for (const character of text) {
    const part = foldCharacter(character);
    folded.push(part);
    for (let unit = 0; unit < part.length; unit += 1) origins.push({ from, to: from + character.length });
    from += character.length;
  }
  const whole = folded.join('');
  const at = fragment === '' ? -1 : last ? whole.lastIndexOf(fragment) : whole.indexOf(fragment);
  const [start, end] = [origins[at], origins[at + fragment.length - 1]];
  return start && end ? { from: start.from, to: end.to } : null;
}
