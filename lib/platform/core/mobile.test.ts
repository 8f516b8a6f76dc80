import fc from 'fast-check';
import { expect, test } from 'vitest';
import { typedCases } from '@/testing/kits/case';
import { formatMobile, maskMobile, mobileProblem, parseMobile, readMobile, toInternational } from './mobile';

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
])('%j is not a mobile number', (text) => {
  expect(parseMobile(text)).toBeNull();
});

test('spaces, hyphens and the country code do not change the parsed number', () => {
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

test('a masked number shows only its last three digits', () => {
  expect(maskMobile('0712345678')).toBe('0***\u00a0***\u00a0678');
});

test.each(typedCases('readMobile'))('a form reads %j as %j', (text, { mobile }) => {
  expect(readMobile(text)).toBe(mobile);
});

test.each(['<script>alert(1)</script>', '7'.repeat(10_000), '\ud800'])('a form does not accept %j', (text) => {
  expect(readMobile(text)).toBeNull();
});

test('a form accepts everything that the API accepts, and no text throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[0+][0-9 .-]{0,16}$/)), (text) => {
      const strict = parseMobile(text);
      const lenient = readMobile(text);
      if (strict !== null) expect(lenient).toBe(strict);
      else expect(lenient === null || /^0[67]\d{8}$/.test(lenient)).toBe(true);
    }),
  );
});

test('formats a number in the groups in which people read it aloud', () => {
  expect(formatMobile('0712345678')).toBe('0712\u00a0345\u00a0678');
});

test.each([
  ['0712 345 67', { kind: 'mobileTooShort', digits: 9 }],
  ['071', { kind: 'mobileTooShort', digits: 3 }],
  ['+255 712 345 67', { kind: 'mobileTooShort', digits: 9 }],
  ['71234567', { kind: 'mobileTooShort', digits: 8 }],
  ['0712 345 6789', { kind: 'mobileTooLong', digits: 11 }],
  ['255 0712 345 6789', { kind: 'mobileTooLong', digits: 11 }],
  ['+254 712 345 678', { kind: 'mobileForeign' }],
  ['00254712345678', { kind: 'mobileForeign' }],
  ['254712345678', { kind: 'mobileForeign' }],
  ['+44 7911 123456', { kind: 'mobileForeign' }],
  ['022 211 2345', { kind: 'mobileLandline' }],
  ['+255 22 211 2345', { kind: 'mobileLandline' }],
  ['0800 110 000', { kind: 'mobileLandline' }],
  ['0812 345 678', { kind: 'mobileInvalid' }],
  ['0812 345', { kind: 'mobileInvalid' }],
  ['nobody', { kind: 'mobileInvalid' }],
  ['71234500.0', { kind: 'mobileInvalid' }],
  ['', { kind: 'mobileInvalid' }],
  ['7'.repeat(1_000), { kind: 'mobileInvalid' }],
] as const)('the problem of the number %j is %o', (text, problem) => {
  expect(readMobile(text)).toBeNull();
  expect(mobileProblem(text)).toEqual(problem);
});
