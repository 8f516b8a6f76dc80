/** Characters that people write in place of letters. Programs that guess passwords try these first. */
const LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '3': 'e',
  '€': 'e',
  '6': 'g',
  '1': 'i',
  '!': 'i',
  '|': 'l',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
  '2': 'z',
};
/** How many digits and signs at the end may be part of the word, as in `metallic4`. */
const SUFFIX_MAX = 3;

/**
 * Pure. Returns the words that a password is made of: in lower case, without digits and signs around them, without spaces and
 * punctuation, and with letters in place of similar digits and signs. `P@ssw0rd1234!` gives `password`. The caller limits the
 * length of the password.
 */
export function wordsInPassword(password: string): string[] {
  const text = password.normalize('NFKC').toLowerCase();
  const from = text.search(/\p{L}/u);
  if (from < 0) return [];
  const end = text.length - (/[^\p{L}]*$/u.exec(text)?.[0].length ?? 0);
  const starts = [...new Set([from, Math.max(0, from - 1)])];
  const ends = Array.from({ length: SUFFIX_MAX + 1 }, (_, more) => end + more).filter((at) => at <= text.length);
  return [...new Set(starts.flatMap((start) => ends.map((at) => asLetters(text.slice(start, at)))))];
}

function asLetters(text: string): string {
  return [...text]
    .map((sign) => LETTERS[sign] ?? sign)
    .join('')
    .replace(/[^\p{L}]/gu, '');
}
