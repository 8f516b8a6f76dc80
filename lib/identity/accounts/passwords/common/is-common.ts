import { type BloomFilter, hasWord } from './bloom-filter';
import { FILTER, FILTER_HASHES } from './filter';
import { COMMON_PASSWORDS } from './list';
import { wordsInPassword } from './word-in-password';

const WORD_MIN = 4;
/** The longest text that is split into two words. A longer text of two joined words does not count as common. */
const JOINED_MAX = 32;

const filter: BloomFilter = { bits: new Uint8Array(Buffer.from(FILTER, 'base64')), hashes: FILTER_HASHES };
const listed = new Set([...COMMON_PASSWORDS].flatMap((password) => wordsInPassword(password)));

/**
 * Pure. Returns whether a password is one of the first that attackers guess: a common password, or one or two joined common words,
 * with digits and punctuation around them or in place of letters. Several words with spaces between them do not count as common.
 */
export function isCommonPassword(password: string): boolean {
  const plain = password
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  if (COMMON_PASSWORDS.has(plain) || COMMON_PASSWORDS.has(password.toLowerCase())) return true;
  const joined = !/\p{L}[\s._-]+\p{L}/u.test(password);
  return wordsInPassword(password).some((word) => isCommonWord(word) || (joined && isTwoWords(word)));
}

function isCommonWord(word: string): boolean {
  return word.length >= WORD_MIN && (listed.has(word) || hasWord(filter, word));
}

function isTwoWords(word: string): boolean {
  if (word.length > JOINED_MAX) return false;
  for (let at = WORD_MIN; at <= word.length - WORD_MIN; at += 1) {
    if (isCommonWord(word.slice(0, at)) && isCommonWord(word.slice(at))) return true;
  }
  return false;
}
