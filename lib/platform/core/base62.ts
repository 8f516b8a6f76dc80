import type { Random } from './clock';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns `length` random letters and digits. Bytes from 248 are skipped, so that all 62 characters are equally likely. */
export function randomBase62(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** Formats a number below 62^6 as six letters and digits. */
export function toBase62(value: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < 6; i += 1) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
