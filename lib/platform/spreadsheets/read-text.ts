import { fail, ok, type Result } from '@/lib/platform/core/result';

/**
 * The ends of lines in files from outside, for csv-parse. Without this option it takes the first end that it sees as the only one, and
 * reads the rest of a file with mixed ends as a few long rows.
 */
export const LINE_ENDS = ['\r\n', '\n', '\r'];

type MarkedEncoding = 'utf-8' | 'utf-16';

const BYTE_ORDER_MARKS = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8', decoder: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16', decoder: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16', decoder: 'utf-16be' },
] as const;

interface DecodedText {
  readonly text: string;
  readonly encoding: MarkedEncoding;
}

/**
 * Decodes UTF-8, and UTF-16 with a byte order mark. Fails if the file is not text, for example a workbook or a picture, and if it has bytes
 * that its encoding does not allow.
 */
export function decodeText(bytes: Uint8Array): Result<DecodedText, 'not_text' | 'other_encoding'> {
  // A ZIP file, and so an Excel workbook, starts with PK. No text contains NUL.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3) return fail('not_text');
  const marked = BYTE_ORDER_MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  try {
    const text = new TextDecoder(marked?.decoder ?? 'utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? fail('not_text') : ok({ text, encoding: marked?.encoding ?? 'utf-8' });
  } catch {
    return fail(marked ? 'not_text' : 'other_encoding');
  }
}

/** Returns the separator whose character occurs most often outside of quotes in a line; undefined if it has none. */
export function separatorOf(line: string): string | undefined {
  const plain = line.replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: plain.split(separator).length - 1 }));
  return counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)[0]?.separator;
}

/** Returns whether a row has a value in a column that has no name in the header. */
export function hasSurplusCell(cells: readonly string[], names: readonly string[]): boolean {
  return cells.some((cell, index) => cell.trim() !== '' && (names[index] ?? '').trim() === '');
}

/** A long number as spreadsheets show it, for example `1.23457E+11`. The number that it was is lost. */
export const SCIENTIFIC = /^\d(?:[.,]\d+)?E\+\d{2,3}$/i;
