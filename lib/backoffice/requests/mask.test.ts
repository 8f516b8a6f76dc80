import { expect, test } from 'vitest';
import { maskText, prettyJson } from './mask';

test.each([
  ['{"mobile":"0712345001"}', '{"mobile":"0*** *** 001"}'],
  ['{"mobile": "+255 712-345-001"}', '{"mobile": "0*** *** 001"}'],
  ['{"mobile":712345001}', '{"mobile":"******001"}'],
  ['{"phone":"12"}', '{"phone":"12"}'],
  ['{"mobile":"(0712) 34-50"}', '{"mobile":"(****) *4-50"}'],
  ['{"mobile":""}', '{"mobile":""}'],
  ['{"mobile":null}', '{"mobile":null}'],
  ['{"reference":"call 0712 345 001"}', '{"reference":"call 0*** *** 001"}'],
  ['?reference=%2B255712345001', '?reference=0*** *** 001'],
  ['?mobile=255712345001&limit=1', '?mobile=0*** *** 001&limit=1'],
  ['?reference=INV%200712345001', '?reference=INV%200*** *** 001'],
  ['?reference=0712%20345%20001&x=0712+345+001', '?reference=0*** *** 001&x=0*** *** 001'],
  [String.raw`{"note":"call\n0712345001\tor \u00a0255712345001"}`, String.raw`{"note":"call\n0*** *** 001\tor \u00a00*** *** 001"}`],
  ['0712  345--001', '0*** *** 001'],
  ['the key bili_sandbox_secret_abcDEF123 and whsec_ab+/c=', 'the key bili_sandbox_secret_*** and whsec_***'],
])('hides numbers and secrets: %s', (text, masked) => {
  expect(maskText(text)).toBe(masked);
});

test.each(['{"date":1795213485580}', '{"amount":712345001.0}', '{"id":"018f0712-3450-7712-8345-067123456789"}', 'ORDER-0712345'])(
  'keeps other numbers: %s',
  (text) => {
    expect(maskText(text)).toBe(text);
  },
);

test('indents JSON without changing its numbers', () => {
  expect(prettyJson('{"amount":5000.0,"n":[1e2]}')).toBe('{\n  "amount": 5000.0,\n  "n": [\n    1e2\n  ]\n}');
  expect(prettyJson('{"cut":')).toBe('{"cut":');
});
