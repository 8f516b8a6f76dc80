/** The pattern for secret scanners. It matches the public id and the secret of an API key. */
export const SCANNER_PATTERN = String.raw`\bbili_(?:live|sandbox)_(?:key_[0-9A-Za-z]{22}|secret_[0-9A-Za-z]{49})\b`;

/**
 * A sample program that checks whether a match is a real key, for other projects to copy. The last six characters are the CRC-32 of
 * the preceding ones, as a base-62 number with leading zeros.
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
