import { isCommonPassword } from '@/lib/identity/accounts/passwords/common/is-common';
import { PASSWORD_MAX, PASSWORD_MIN, type PasswordProblem } from './password-limits';

/** The shortest part of a name or address that is searched for in the password. Many good passwords contain a shorter part by chance. */
const PERSONAL_PART_MIN = 5;
/** How many characters of a name or address are compared at most. All accepted names and addresses are shorter. */
const ABOUT_MAX = 300;
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** How many characters must remain when keyboard runs, repetitions and personal data are removed. */
const REST_MIN = 4;

/**
 * Pure. Checks a password as NIST SP 800-63B (3.1.1.2) and ASVS 5.0 (6.2) require: it must be long and not easy to guess. There are
 * no rules about kinds of characters. `about`: what others may know, such as the e-mail address and the names of the person and the
 * merchants. Returns the problem, or null.
 */
export function passwordProblem(password: string, about: readonly string[]): PasswordProblem | null {
  // This check comes first, because the time of normalization grows with the square of the length of a run of accents.
  if (password.length > PASSWORD_MAX) return 'too_long';
  const text = password.normalize('NFKC');
  const length = [...text].length;
  if (length < PASSWORD_MIN) return 'too_short';
  if (length > PASSWORD_MAX) return 'too_long';
  if (isCommonPassword(text) || isPattern(text.toLowerCase())) return 'too_common';
  const plain = plainOf(text);
  const bounded = about.map((one) => one.slice(0, ABOUT_MAX));
  const known = bounded.flatMap((one) => [one, ...one.split(/[\s@._-]+/)]).map(plainOf);
  const rest = known
    .filter((word) => word.length >= PERSONAL_PART_MIN)
    .sort((a, b) => b.length - a.length)
    .reduce((left, word) => left.replaceAll(word, ''), plain);
  return rest !== plain && rest.replace(/\d+$/, '').length < REST_MIN ? 'too_personal' : null;
}

/** Returns only the letters and digits of a text, in lower case. */
function plainOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Returns whether a password is a repetition, or a run along the alphabet, the digits or the keyboard. */
function isPattern(text: string): boolean {
  if (/^(.{1,8})\1+.{0,3}$/u.test(text)) return true;
  let rest = text;
  for (const row of ROWS) {
    for (const line of [row, [...row].reverse().join('')]) {
      for (let size = line.length; size >= 4; size -= 1) {
        for (let at = 0; at + size <= line.length; at += 1) rest = rest.replaceAll(line.slice(at, at + size), '');
      }
    }
  }
  return rest.length < REST_MIN;
}
