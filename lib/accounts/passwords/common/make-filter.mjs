// Generates filter.ts, a compact list of words that are common in passwords. Run it by hand when the lists change:
//
//   npm pack @zxcvbn-ts/language-common@3.0.4 @zxcvbn-ts/language-en@3.0.2
//   for file in zxcvbn-ts-*.tgz; do mkdir -p "${file%.tgz}"; tar xzf "$file" -C "${file%.tgz}"; done
//   node lib/accounts/passwords/common/make-filter.mjs zxcvbn-ts-language-common-3.0.4/package/src zxcvbn-ts-language-en-3.0.2/package/src
//
// Both packages have the MIT licence (https://github.com/zxcvbn-ts/zxcvbn). `passwords.json` contains 49,000 leaked passwords, most
// frequent first. The others contain English words, first names and surnames. Bili does not depend on these packages.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addWord } from './bloom-filter.ts';
import { wordsInPassword } from './word-in-password.ts';

const BYTES = 39_000;
const HASHES = 9;
const [common, english] = process.argv.slice(2);
if (!common || !english) throw new Error('pass the two folders with the lists as arguments');
const list = (folder, name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));

/** Each list and how many of its first entries are used. All lists but the first names are sorted by frequency. */
const SOURCES = [
  [list(common, 'passwords'), 17_000],
  [list(english, 'commonWords'), 4_000],
  [list(english, 'firstnames'), 4_945],
  [list(english, 'lastnames'), 1_000],
];
const words = new Set();
for (const [entries, most] of SOURCES) {
  let taken = 0;
  for (const entry of entries) {
    if (taken >= most) break;
    const [word = ''] = wordsInPassword(entry);
    if (word.length < 4) continue;
    taken += 1;
    words.add(word);
  }
}
const filter = { bits: new Uint8Array(BYTES), hashes: HASHES };
for (const word of words) addWord(filter, word);
writeFileSync(
  join(import.meta.dirname, 'filter.ts'),
  `/** ${words.size.toLocaleString('en')} common words in passwords as a Bloom filter in base64. Made by make-filter.mjs; not to be edited. */
export const FILTER_HASHES = ${HASHES};
export const FILTER =
  '${Buffer.from(filter.bits).toString('base64')}';
`,
);
process.stdout.write(`${words.size} words\n`);
