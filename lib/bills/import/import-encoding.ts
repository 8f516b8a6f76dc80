import { fail, ok, type Result } from '@/lib/core/result';

const ENCODINGS = ['utf-8', 'utf-16', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const BYTE_ORDER_MARKS = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8', decoder: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16', decoder: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16', decoder: 'utf-16be' },
] as const;

/**
 * Decodes a file: UTF-8, or an encoding that Excel writes. Every file is valid Windows-1252, so that is tried last, and reported to the
 * member because letters may be wrong.
 * Fails if the file is not text, for example a workbook or a picture.
 */
export function decodeFile(bytes: Uint8Array): Result<{ readonly text: string; readonly encoding: Encoding }, 'no_text'> {
  const marked = BYTE_ORDER_MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked) return asText(new TextDecoder(marked.decoder).decode(bytes), marked.encoding);
  try {
    return asText(new TextDecoder('utf-8', { fatal: true }).decode(bytes), 'utf-8');
  } catch {
    return asText(new TextDecoder('windows-1252').decode(bytes), 'windows-1252');
  }
}

function asText(text: string, encoding: Encoding): Result<{ text: string; encoding: Encoding }, 'no_text'> {
  // A ZIP file, and so an Excel workbook, starts with PK. No text contains NUL.
  return text.startsWith('PK\u0003') || text.includes('\0') ? fail('no_text') : ok({ text, encoding });
}
