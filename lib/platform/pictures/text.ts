/** Widths of the characters from space to tilde in Noto Sans Bold, in hundredths of the font size. The regular font is narrower. */
const ASCII_WIDTHS = [
  26, 28, 48, 65, 57, 90, 75, 27, 34, 34, 54, 57, 28, 32, 28, 42, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 28, 28, 57, 57, 57, 48, 90, 69,
  66, 64, 73, 56, 55, 72, 76, 39, 33, 66, 56, 94, 81, 79, 62, 79, 66, 55, 58, 76, 65, 97, 67, 63, 58, 33, 42, 33, 57, 41, 36, 60, 63, 52,
  63, 60, 39, 63, 65, 30, 30, 62, 30, 98, 65, 62, 63, 63, 45, 50, 43, 65, 57, 86, 58, 57, 49, 39, 55, 39, 57,
];
const FIRST_ASCII = 0x20;
/** The assumed width of a character outside ASCII. Nearly all letters of other alphabets are narrower. */
const OTHER_WIDTH = 95;
/** A position where a line may break: after white space, or after one of these characters in a long word. */
const BREAKS = /(?<=[\s/\-_.,:;@])/u;

/** Estimates the width of a text, in the unit of `size`. The estimate is more often too wide than too narrow. */
export function textWidth(text: string, size: number): number {
  let hundredths = 0;
  for (const character of text) hundredths += ASCII_WIDTHS[(character.codePointAt(0) ?? 0) - FIRST_ASCII] ?? OTHER_WIDTH;
  return (hundredths * size) / 100;
}

/** Returns a text without characters that XML forbids or that change the direction of what follows. White space becomes single spaces. */
export function cleanText(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]+/gu, ' ').trim();
}

/** Breaks a text into lines that fit a width. If the text needs more than `most` lines, the last line ends in an ellipsis. */
export function wrapText(
  text: string,
  { size, width, most }: { readonly size: number; readonly width: number; readonly most: number },
): string[] {
  const fits = (line: string) => textWidth(line.trimEnd(), size) <= width;
  const lines: string[] = [];
  let line = '';
  for (const part of cleanText(text).split(BREAKS)) {
    if (fits(line + part)) {
      line += part;
      continue;
    }
    if (line !== '') lines.push(line.trimEnd());
    line = '';
    for (const character of part) {
      if (!fits(line + character)) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
    if (lines.length > most) break;
  }
  if (line.trim() !== '') lines.push(line.trimEnd());
  if (lines.length <= most) return lines;
  let last = lines[most - 1] ?? '';
  while (last !== '' && !fits(`${last}…`)) last = last.replace(/.$/su, '');
  return [...lines.slice(0, most - 1), `${last.trimEnd()}…`];
}

/** Escapes a text for XML. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
