/**
 * What a mail program turns into a link, or a reader types into a browser: a scheme, `www.`, an e-mail address, an IP address, or a
 * dot between a label and at least two letters. Names with dots such as `A.B.C. Traders` and `St. Mary` pass.
 */
const ADDRESS = /:\/|\bwww\.|@|\d{1,3}(?:\.\d{1,3}){3}|[\p{L}\p{N}]\.\p{L}[\p{L}\p{N}-]/u;

/** Invisible characters could split an address for us and join it again for the reader. */
const INVISIBLE = /\p{Cf}/gu;

/** Pure. @param text bounded by the caller. @returns whether it contains a web, e-mail or IP address. */
export function containsAddress(text: string): boolean {
  return ADDRESS.test(text.replace(INVISIBLE, '').normalize('NFKC').replaceAll('。', '.').toLowerCase());
}
