import { expect, test } from 'vitest';
import { isForeignForm, isSameOrigin, ownPath } from './same-origin';

test.each([
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'same-site', origin: 'https://pay.example', host: 'pay.example' }, false],
  [{ 'sec-fetch-site': 'cross-site' }, false],
  [{ origin: 'https://pay.example', host: 'pay.example' }, true],
  [{ origin: 'https://evil.example', host: 'pay.example' }, false],
  [{ origin: 'null', host: 'pay.example' }, false],
  [{ host: 'pay.example' }, false],
])('isSameOrigin with %j is %j', (headers, own) => {
  expect(isSameOrigin(new Headers(headers as Record<string, string>))).toBe(own);
});

test.each([
  [{}, false],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://pay.example' }, false],
  [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
  [{ 'sec-fetch-site': 'same-origin', origin: 'https://renamed.example' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ 'sec-fetch-site': 'none', origin: 'https://evil.example' }, true],
  [{ 'sec-fetch-site': 'same-site', origin: 'https://pay.example' }, true],
  [{ 'sec-fetch-site': 'cross-site' }, true],
  [{ origin: 'https://pay.example' }, false],
  [{ origin: 'https://evil.example' }, true],
  [{ origin: 'null' }, true],
])('isForeignForm with %j is %j', (headers, foreign) => {
  expect(isForeignForm(new Headers({ host: 'pay.example', ...headers } as Record<string, string>))).toBe(foreign);
});

const ORIGIN = 'https://pay.example';
test.each([
  ['/m/duka/live/bills?x=1', '/m/duka/live/bills?x=1'],
  ['https://pay.example/m', '/m'],
  ['https://evil.example/m', null],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['javascript:alert(1)', null],
  [`/m?x=${'y'.repeat(5_000)}`, null],
  ['', null],
  [null, null],
])('ownPath of %j is %j', (address, path) => {
  expect(ownPath(address, ORIGIN)).toBe(path);
});
