import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskMobile, parseMobile, toInternational } from './mobile';

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
