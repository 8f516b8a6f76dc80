import { INVISIBLE } from './text';

/**
 * Matches text that a mail program could turn into a link, or that a reader could type into a browser: a URL scheme, `www.`, an e-mail
 * address, an IP address, or a dot before at least two letters. Names such as `A.B.C. Traders` and `St. Mary` do not match.
 */
const ADDRESS = /:\/|\bwww\.|@|\d{1,3}(?:\.\d{1,3}){3}|[\p{L}\p{N}]\.\p{L}[\p{L}\p{N}-]/u;

/** Returns whether a text contains a web, e-mail or IP address. Pure. @param text the caller limits its length. */
export function containsAddress(text: string): boolean {
  // An attacker could hide an address from this check with characters that the reader does not see.
  return ADDRESS.test(text.replace(INVISIBLE, '').normalize('NFKC').replaceAll('。', '.').toLowerCase());
}
