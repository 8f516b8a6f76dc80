import { isCommonPassword } from '@/lib/accounts/passwords/common/is-common';
import { PASSWORD_MAX, PASSWORD_MIN, type PasswordProblem } from './password-limits';

/** Shorter parts of names and addresses stand in too many good passwords. */
const TELLING = 5;
/** Longer than any e-mail address or name that is accepted. */
const ABOUT_MAX = 300;
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** What is left of a password when runs, repeats and what is known of its owner are taken out. */
const REST_MIN = 4;

/**
 * Pure. What NIST SP 800-63B (3.1.1.2) and ASVS 5.0 (6.2) ask: long, and not among the first to be guessed; no rules about which characters.
 * @param about what anybody may know: e-mail address, names of the person and of their merchants.
 */
export function passwordProblem(password: string, about: readonly string[]): PasswordProblem | null {
  // First: the time that normalization takes grows with the square of a run of accents.
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
    .filter((word) => word.length >= TELLING)
    .sort((a, b) => b.length - a.length)
    .reduce((left, word) => left.replaceAll(word, ''), plain);
  return rest !== plain && rest.replace(/\d+$/, '').length < REST_MIN ? 'too_personal' : null;
}

/** Letters and digits alone, in lower case. */
function plainOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** One thing again and again, or a run along the alphabet, the digits or the keyboard. */
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
