import type { BareCode } from './finding';

/** Something that programs do to a text on its way, and how to undo it. */
interface Damage {
  readonly code: BareCode | 'body_mojibake';
  /** @returns the text without it; the same text when there is none. */
  undo(text: string): string;
}

export const DAMAGES: readonly Damage[] = [
  { code: 'body_bom', undo: (text) => text.replace(/^\ufeff/, '') },
  { code: 'body_crlf', undo: (text) => text.replaceAll('\r\n', '\n') },
  { code: 'body_padded', undo: (text) => text.trim() },
  { code: 'body_mojibake', undo: (text) => readAgain(text) },
  { code: 'body_normalized', undo: (text) => text.normalize('NFC') },
  { code: 'body_normalized', undo: (text) => text.normalize('NFD') },
];

const WINDOWS_1252 = new TextDecoder('windows-1252');
const ONE_BYTE = new Map(Array.from({ length: 256 }, (_, byte) => [WINDOWS_1252.decode(Uint8Array.of(byte)), byte]));

/** UTF-8 that was read as Latin-1 or Windows-1252, where `é` becomes `Ã©`. @returns what it was before; else the same text. */
function readAgain(text: string): string {
  const bytes = Array.from(text, (character) => ONE_BYTE.get(character) ?? character.charCodeAt(0));
  if (bytes.some((byte) => byte > 0xff)) return text;
  return decodeUtf8(Uint8Array.from(bytes)) ?? text;
}

/** @returns a text with its byte order mark, or null when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** @returns the text of bytes that are UTF-8 or, if not, Windows-1252, which Latin-1 is a part of. */
export function decodeAny(bytes: Uint8Array): { readonly text: string; readonly utf8: boolean } {
  const text = decodeUtf8(bytes);
  return text === null ? { text: WINDOWS_1252.decode(bytes), utf8: false } : { text, utf8: true };
}
