import { v7 } from 'uuid';
import type { Clock, Random } from './clock';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID_IN_TEXT = /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/i;
const REFERENCE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** Crockford's base 32 (https://www.crockford.com/base32.html): no I, L, O or U. */
const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 12;
const CODE_BITS = 5n;
const CODE = new RegExp(`^[${CODE_ALPHABET}]{${CODE_LENGTH}}$`);
const CODE_START = new RegExp(`^[${CODE_ALPHABET}]{4,${CODE_LENGTH}}$`);
const LOOK_ALIKES: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0', U: 'V' };

/** Creates a UUIDv7: it starts with the time of its creation, followed by 74 random bits. */
export function newId({ clock, random }: { readonly clock: Clock; readonly random: Random }): string {
  return v7({ msecs: clock().getTime(), random: random(16) });
}

/** The last instant that a UUIDv7 can hold: 48 bits of milliseconds. */
export const LAST_ID_MS = 2 ** 48 - 1;

/**
 * Returns the lowest UUIDv7 of an instant in milliseconds. A UUIDv7 starts with its time (RFC 9562), so a period is an index range of ids.
 */
export function lowestId(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), LAST_ID_MS).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * Returns the first UUID in a text, for example in a pasted link. Chat programs append to a link the full stop, bracket or star that follows
 * it, and some append invisible characters.
 */
export function findUuid(text: string): string | null {
  return UUID_IN_TEXT.exec(text)?.[0] ?? null;
}

/** Creates our reference of an attempt: 20 upper-case letters and digits (100 random bits), a form that every provider accepts. */
export function newPaymentReference(random: Random): string {
  return Array.from(random(20), (byte) => REFERENCE_ALPHABET[byte % 32]).join('');
}

/** Returns the first 60 bits of some bytes as a code of 12 letters and digits that people can read aloud and type. */
export function shortCode(bytes: Uint8Array): string {
  const bits = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0) >> 4n;
  return Array.from({ length: CODE_LENGTH }, (_, position) => CODE_ALPHABET[Number((bits >> (CODE_BITS * BigInt(position))) & 31n)]).join(
    '',
  );
}

/**
 * Parses a code as people type or paste it: in upper or lower case, with or without spaces and dashes, O for 0, with a full stop or bracket
 * of the sentence around it. @returns null for other text.
 */
export function parseShortCode(typed: string): string | null {
  const code = readCode(typed);
  return CODE.test(code) ? code : null;
}

/** Parses a code as `parseShortCode` does, or its beginning of at least four characters. @returns null for other text. */
export function parseCodeStart(typed: string): string | null {
  const code = readCode(typed);
  return CODE_START.test(code) ? code : null;
}

function readCode(typed: string): string {
  return typed
    .replace(/[\s\p{Pd}]|^[^\dA-Za-z]+|[^\dA-Za-z]+$/gu, '')
    .toUpperCase()
    .replace(/[ILOU]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
}
