/** What secret scanners look for: a half of an API key that gives access, wherever it stands. Both halves have it, so both are found. */
export const SCANNER_PATTERN = String.raw`\bbili_(?:live|sandbox)_(?:key_[0-9A-Za-z]{22}|secret_[0-9A-Za-z]{49})\b`;

/**
 * The check that tells a real one from what only looks like it, for others to copy: the last six characters are the CRC-32 of all
 * before them, as a number to the base of 62, filled up with zeros.
 */
export const SCANNER_CHECK = `import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function isBiliKey(text: string): boolean {
  let rest = crc32(text.slice(0, -6));
  let checksum = '';
  for (let i = 0; i < 6; i += 1) {
    checksum = DIGITS[rest % 62] + checksum;
    rest = Math.floor(rest / 62);
  }
  return text.endsWith(checksum);
}

export { isBiliKey };`;
