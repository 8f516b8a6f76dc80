import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatInstant, formatMoney } from './format';
import { chooseLocale } from './locale';
import { ENGLISH as en, SWAHILI as sw } from './messages';
import { translator } from './translator';

function keysOf(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null ? keysOf(inner, `${prefix}${key}.`) : [prefix + key],
  );
}

/**
 * Returns the names of the values that a text shows, sorted. A number that only chooses between singular and plural is left out, because
 * the text of the other language needs no such number if its singular and plural are the same.
 */
function placeholders(value: unknown): string[] {
  const text = String(value);
  const shown = text.includes('#') ? text : text.replace(/\{\s*\w+\s*,\s*plural\b/g, '');
  return [...new Set([...shown.matchAll(/\{\s*(\w+)\s*[,}]/g)].map(([, name = '']) => name))].sort();
}

test('no namespace is in two files, where one would hide the other', () => {
  for (const [language, all] of [
    ['en', en],
    ['sw', sw],
  ] as const) {
    const folder = join(import.meta.dirname, 'messages', language);
    const names = readdirSync(folder).flatMap((name) => Object.keys(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
    expect(names.sort()).toEqual(Object.keys(all).sort());
  }
});

test('both languages have the same texts with the same placeholders', () => {
  expect(keysOf(sw).sort()).toEqual(keysOf(en).sort());
  for (const path of keysOf(en)) {
    const pick = (messages: object) =>
      path
        .split('.')
        .reduce<unknown>((value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined), messages);
    expect(placeholders(pick(sw)), path).toEqual(placeholders(pick(en)));
    expect(String(pick(sw)).trim(), path).not.toBe('');
  }
});

test.each([
  ['en', 'sw', 'en'],
  [null, 'en-US,en;q=0.9', 'en'],
  [null, 'fr,en;q=0.4,sw;q=0.8', 'sw'],
  [null, 'fr', 'sw'],
  [null, null, 'sw'],
  ['xx', 'en', 'en'],
  [null, 'en;q=0,sw;q=0.1', 'sw'],
  [null, ';;;,q=x', 'sw'],
])('language %j with Accept-Language %j gives %s', (chosen, header, locale) => {
  expect(chooseLocale(chosen, header)).toBe(locale);
});

test('placeholders are filled in as plain text', () => {
  expect(translator('sw', 'Pay')('payButton', { amount: formatMoney(500000n) })).toBe('Lipa TZS\u00a05,000');
  expect(translator('en', 'Pay')('title', { merchant: "{x} <b>'Duka'" })).toBe("Pay {x} <b>'Duka'");
});

test.each([
  [500000n, 'TZS\u00a05,000'],
  [123456789050n, 'TZS\u00a01,234,567,890.50'],
  [5n, 'TZS\u00a00.05'],
  [-550n, '−TZS\u00a05.50'],
])('%d senti are shown as %s', (amount, text) => {
  expect(formatMoney(amount)).toBe(text);
});

test('instants are shown in East Africa Time', () => {
  expect(formatInstant(new Date('2026-11-20T22:30:00Z'), 'en')).toBe('21\u00a0Nov\u00a02026, 01:30');
});
