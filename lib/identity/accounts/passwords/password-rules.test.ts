import { expect, test, vi } from 'vitest';
import { COMMON_PASSWORDS } from '@/lib/identity/accounts/passwords/common/list';
import { passwordProblem } from './password-rules';

const ABOUT = ['asha.mushi@example.com', 'Asha Mushi', 'Duka la Mtihani'];

test.each([
  ['short', 'too_short'],
  ['elevenchars', 'too_short'],
  // These are eleven characters, but more bytes and UTF-16 units.
  ['😀😀😀😀😀😀😀😀😀😀😀', 'too_short'],
  ['x'.repeat(1_001), 'too_long'],
  ['password1234', 'too_common'],
  ['Password 1234', 'too_common'],
  // NFKC turns full-width letters into ordinary letters.
  ['ｐａｓｓｗｏｒｄ1234', 'too_common'],
  ['aaaaaaaaaaaaa', 'too_common'],
  ['abcabcabcabcabc', 'too_common'],
  ['qwertyuiop1234', 'too_common'],
  ['098765432109', 'too_common'],
  ['Mungu ni mwema', 'too_common'],
  ['asha.mushi@example.com', 'too_personal'],
  ['ashamushi2026', 'too_personal'],
  ['dukalamtihani1', 'too_personal'],
  ['maembe na karanga', null],
  ['correct horse asha mushi', null],
  ['tR7$kk29!pQz', null],
  ['ninapenda samaki wa Mwanza', null],
])('the password %j has the problem %s', (password, problem) => {
  expect(passwordProblem(password, ABOUT)).toBe(problem);
});

test('every password on the list of common ones has at least 11 characters', () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThan(180);
  for (const one of COMMON_PASSWORDS) expect(one.length, one).toBeGreaterThanOrEqual(11);
});

test.each([
  ['Password123!', 'P@ssw0rd1234', 'Summer2024!!', 'michaeljordan', 'metallica666', 'NewYork12345'],
  ['Welcome2024!', 'Winter2025!!', 'Football123!', 'iloveyou1234', 'Liverpool2024', 'manchester12', 'Qwerty123456!', 'letmein12345'],
  ['trustno1trustno1', 'sunshine2024', 'Princess1234', 'Superman2025!', 'b@tm@n123456', 'dr4g0n123456', 'm0nkey123456', 'Chelsea12345'],
  ['Arsenal2024!', 'Barcelona123', 'administrator1', 'Changeme123!', 'September2024', 'December25!!', 'Monday123456', 'michael123456'],
  ['jennifer2024', 'jessica12345', 'ashley123456', 'starwars1977', 'basketball23', 'computer1234', 'internet2024', 'butterfly123'],
  [
    'chocolate123',
    'elephant2024!',
    '!!password!!1',
    '123password123',
    'passwordpassword',
    'monkeydragon',
    'Mustang196419',
    'S3cur1ty2024!',
  ],
])('well-known passwords are refused: %s, %s …', (...passwords) => {
  for (const password of passwords) expect(passwordProblem(password, []), password).toBe('too_common');
});

test('fewer than 1 % of uncommon passwords are refused as common', () => {
  const consonants = 'bdfghjklmnprstvwz';
  const vowels = 'aeiou';
  // A reproducible sequence of syllables that a person could remember, from a linear congruential generator.
  let seed = 20_261_126;
  const pick = (from: string) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return from[Math.floor((seed / 2_147_483_648) * from.length)] ?? '';
  };
  const word = () => Array.from({ length: 7 }, () => pick(consonants) + pick(vowels)).join('');
  const wrong = Array.from({ length: 2_000 }, word).filter((one) => passwordProblem(one, []) !== null);
  expect(wrong.length, wrong.join(' ')).toBeLessThan(20);
});

test.each(['maembe matatu na ndizi', 'copper harbor window plum', 'tuliza-boti-kesho-asubuhi', 'zawadi ya mjomba Kassim', 'k9#vQ2!mZr7x'])(
  '%j is accepted',
  (password) => {
    expect(passwordProblem(password, [])).toBeNull();
  },
);

test('checking the longest passwords takes less than half a second', () => {
  const started = process.cpuUsage();
  for (const one of ['a', '@', '1', 'aB1!']) passwordProblem(one.repeat(1_000).slice(0, 1_000), ['x'.repeat(254)]);
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1_000).toBeLessThan(500);
});

test('only short texts are normalized, because the time for a run of accents grows with the square of its length', () => {
  const accents = `a${'\u0301\u0316'.repeat(5_000)}`;
  const normalize = vi.spyOn(String.prototype, 'normalize');
  expect(passwordProblem(accents, ABOUT)).toBe('too_long');
  expect(passwordProblem('ninapenda samaki wa Mwanza', [accents])).toBeNull();
  const longest = Math.max(...normalize.mock.contexts.map((text) => String(text).length));
  normalize.mockRestore();
  expect(longest).toBeLessThanOrEqual(1_000);
});
