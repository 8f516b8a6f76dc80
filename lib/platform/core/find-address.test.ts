import { expect, test } from 'vitest';
import { containsAddress } from './find-address';

test.each([
  'Your M-Pesa account is blocked, confirm at https://evil.example/login now. Bank',
  'http:/evil',
  'WWW.evil',
  'go to evil.example',
  'evil.co.tz',
  'Duka.la',
  'evil．example',
  'evil。example',
  'evil\u200b.exa\u2060mple',
  'evil\u{fe0f}.exam\u{3164}ple',
  'help@bank',
  'call 10.0.0.1',
  '9bank.tz',
])('%j contains an address', (text) => {
  expect(containsAddress(text)).toBe(true);
});

test.each([
  'Mama Asha',
  'A.B.C. Traders',
  'St. Mary’s School',
  'Duka No. 7.5',
  'S.L.P 100',
  'Kilimo & Co. Ltd.',
  'Saa 7/24: maji',
  'Asha J.',
])('%j contains no address', (text) => {
  expect(containsAddress(text)).toBe(false);
});
