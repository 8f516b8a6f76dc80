import type { BareCode } from './finding';

/** A change that programs often make to a text, and how to undo it. */
interface Damage {
  readonly code: BareCode | 'body_mojibake';
  /** Returns the text as it was before this change. Returns the same text if it does not contain this change. */
  undo(text: string): string;
}

export const DAMAGES: readonly Damage[] = [
  { code: 'body_bom', undo: (text) => text.replace(/^\ufeff/, '') },
  { code: 'body_crlf', undo: (text) => text.replaceAll('\r\n', '\n') },
  { code: 'body_padded', undo: (text) => text.trim() },
  { code: 'body_mojibake', undo: (text) => undoMojibake(text) },
  { code: 'body_normalized', undo: (text) => normalize(text, 'NFC') },
  { code: 'body_normalized', undo: (text) => normalize(text, 'NFD') },
];

/** More combining marks in a row than real text has: the limit of Unicode's stream-safe text format (UAX #15) is 30. */
const MANY_MARKS = /\p{M}{31}/u;

/** Normalizes a text. Returns a text with very many combining marks in a row unchanged, because sorting them takes quadratic time. */
function normalize(text: string, form: 'NFC' | 'NFD'): string {
  return MANY_MARKS.test(text) ? text : text.normalize(form);
}

const WINDOWS_1252 = new TextDecoder('windows-1252');
const ONE_BYTE = new Map(Array.from({ length: 256 }, (_, byte) => [WINDOWS_1252.decode(Uint8Array.of(byte)), byte]));

/** Restores UTF-8 that was decoded as Latin-1 or Windows-1252, where `é` becomes `Ã©`. Returns other texts unchanged. */
function undoMojibake(text: string): string {
  const bytes = Array.from(text, (character) => ONE_BYTE.get(character) ?? character.charCodeAt(0));
  if (bytes.some((byte) => byte > 0xff)) return text;
  return decodeUtf8(Uint8Array.from(bytes)) ?? text;
}

/** Decodes UTF-8 and keeps the byte order mark. @returns null if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Decodes UTF-8 or else Windows-1252, which includes the printable characters of Latin-1. */
export function decodeAny(bytes: Uint8Array): { readonly text: string; readonly utf8: boolean } {
  const text = decodeUtf8(bytes);
  return text === null ? { text: WINDOWS_1252.decode(bytes), utf8: false } : { text, utf8: true };
}
