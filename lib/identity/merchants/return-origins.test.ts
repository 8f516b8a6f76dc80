import { expect, test } from 'vitest';
import { allowedReturnUrl, parseOrigins } from './return-origins';

test('origins are read from addresses as people write them, each once', () => {
  expect(parseOrigins(' shop.example.com\nhttps://SHOP.example.com/cart?x=1, https://b.example.com:8443;')).toEqual({
    origins: ['https://shop.example.com', 'https://b.example.com:8443'],
    wrong: null,
  });
  expect(parseOrigins('  ')).toEqual({ origins: [], wrong: null });
});

test.each([
  'http://shop.example.com',
  'ftp://shop.example.com',
  'https://',
  'https://user:pw@shop.example.com',
  'https://localhost',
  'javascript:alert(1)',
])('%s is not an https address of a website', (text) => {
  expect(parseOrigins(`https://a.example.com ${text}`)).toEqual({ origins: ['https://a.example.com'], wrong: text });
});

test.each([
  ['https://a.example.com\\@b.example.com/', 'https://a.example.com/@b.example.com/'],
  ['https://a.example.com/\tx', 'https://a.example.com/x'],
  ['https://a.example.com:443/x', 'https://a.example.com/x'],
  ['https://a.example.com:444/x', null],
  ['https://b.example.com/?https://a.example.com/', null],
  ['https://aexample.com/', null],
  ['//a.example.com/', null],
])('a page of an allowed website is recognised as browsers read its address: %j', (text, href) => {
  expect(allowedReturnUrl(text, { environment: 'live', origins: ['https://a.example.com'] })).toBe(href);
});
