import { expect, test } from 'vitest';
import { COMMON_PASSWORDS } from './common-passwords';
import { passwordProblem } from './password-rules';

const ABOUT = ['asha.mushi@example.com', 'Asha Mushi', 'Duka la Mtihani'];

test.each([
  ['short', 'too_short'],
  ['elevenchars', 'too_short'],
  // Eleven characters, though more bytes and UTF-16 units.
  ['😀😀😀😀😀😀😀😀😀😀😀', 'too_short'],
  ['x'.repeat(1_001), 'too_long'],
  ['password1234', 'too_common'],
  ['Password 1234', 'too_common'],
  // Full-width letters are the same ones (NFKC).
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
])('%j: %s', (password, problem) => {
  expect(passwordProblem(password, ABOUT)).toBe(problem);
});

test('every common password on the list would be long enough', () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThan(180);
  for (const one of COMMON_PASSWORDS) expect(one.length, one).toBeGreaterThanOrEqual(11);
});
