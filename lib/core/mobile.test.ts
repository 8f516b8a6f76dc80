import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskMobile, parseMobile, toInternational } from './mobile';
import { guessNetwork } from './network';

test.each(['0712345678', '255712345678', '+255712345678', '0712 345 678', '+255-712-345-678', '0 7 1 2-345678', '0712\u00a0345\u00a0678'])(
  '%s is 0712345678',
  (text) => {
    expect(parseMobile(text)).toBe('0712345678');
  },
);

test.each([
  '',
  ' ',
  '712345678',
  '0512345678',
  '071234567',
  '07123456789',
  '2550712345678',
  '+2550712345678',
  '++255712345678',
  '254712345678',
  '0712345678x',
  '٠٧١٢٣٤٥٦٧٨',
  '0712\n345678',
  "0712345678' OR 1=1",
])('%j is no mobile number', (text) => {
  expect(parseMobile(text)).toBeNull();
});

test('any mobile number survives spaces, hyphens and the country code', () => {
  const mobile = fc.tuple(fc.constantFrom('06', '07'), fc.stringMatching(/^\d{8}$/)).map(([start, rest]) => start + rest);
  fc.assert(
    fc.property(mobile, fc.array(fc.tuple(fc.nat(12), fc.constantFrom(' ', '-')), { maxLength: 5 }), (national, marks) => {
      for (const form of [national, toInternational(national), `+${toInternational(national)}`]) {
        let text = form;
        for (const [at, mark] of marks) text = text.slice(0, at) + mark + text.slice(at);
        expect(parseMobile(text)).toBe(national);
      }
    }),
  );
});

test('a number is masked for those who are not its owner', () => {
  expect(maskMobile('0712345678')).toBe('0712\u00a0***\u00a0678');
});

test.each([
  ['0612345678', 'halotel'],
  ['0652345678', 'yas'],
  ['0772345678', 'yas'],
  ['0662345678', 'airtel'],
  ['0782345678', 'airtel'],
  ['0732345678', 'ttcl'],
  ['0742345678', 'vodacom'],
  ['0792345678', 'vodacom'],
  ['0722345678', 'other'],
])('%s is guessed to be of %s', (mobile, network) => {
  expect(guessNetwork(mobile)).toBe(network);
});
