import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { JsonNumber } from '@/lib/platform/core/json-number';
import { dueAtOfDay, infoMembers, NO_INFO, NO_INFO_JSON, readInfo } from './bill-info';

const now = new Date('2026-11-24T09:00:00.000Z');
const schema = z.object(infoMembers);
const read = (sent: Readonly<Record<string, unknown>>, environment: 'live' | 'sandbox' = 'live') =>
  readInfo(schema.parse(sent), { environment, returnOrigins: ['https://shop.example.com'], now });

// A later version may add members behind these.
test('an answer for a bill without optional values has the members of the API in their order', () => {
  expect(NO_INFO_JSON).toMatch(
    /^"description":null,"customer":null,"dueAt":null,"metadata":null,"expiresAt":null,"returnUrl":null,"language":null(,|$)/,
  );
});

describe('the optional values of a bill', () => {
  test('are trimmed', () => {
    const sent = { description: ' Kodi ya Novemba ', customer: { name: ' Asha ' } };
    expect(read(sent)).toEqual({ info: { ...NO_INFO, description: 'Kodi ya Novemba', customerName: 'Asha' }, ignored: [] });
  });

  test('are measured in characters, not in UTF-16 units', () => {
    expect(read({ description: '🧾'.repeat(255), customer: { name: '🧾'.repeat(100) } }).ignored).toEqual([]);
    expect(read({ description: '🧾'.repeat(256), customer: { name: '🧾'.repeat(101) } }).ignored).toEqual(['description', 'customer.name']);
  });

  test('one that is invalid does not affect the others', () => {
    const info = { ...NO_INFO, description: 'Kodi' };
    expect(read({ description: 'Kodi', customer: 7 })).toEqual({ info, ignored: ['customer'] });
    expect(read({ description: 'Kodi', customer: { name: 7, email: 'asha@example.com' } })).toMatchObject({
      info: { ...info, customerEmail: 'asha@example.com' },
      ignored: ['customer.name'],
    });
  });

  test.each(['a\u0000b', 'a\u0085b', 'a\u2028b', '\ud800'])('%j is not accepted', (description) => {
    expect(read({ description })).toEqual({ info: null, ignored: ['description'] });
  });
});

describe('a due date', () => {
  test.each(['1795000000', '1.5', '1e300', '-1', '4102444800000', '8640000000000000', '-8640000000000000', '946673999999'])(
    'of %s milliseconds is ignored',
    (ms) => {
      expect(read({ dueAt: new JsonNumber(ms) })).toEqual({ info: null, ignored: ['dueAt'] });
    },
  );

  test('is the end of the East African day of any instant', () => {
    const from = Date.UTC(2000, 0, 2);
    fc.assert(
      fc.property(fc.integer({ min: from, max: Date.UTC(2099, 11, 30) }), (ms) => {
        const dueAt = read({ dueAt: new JsonNumber(String(ms)) }).info?.dueAt;
        if (!dueAt) throw new Error('it is a due date');
        expect(eastAfricanDay(dueAt)).toBe(eastAfricanDay(new Date(ms)));
        expect(eastAfricanDay(new Date(dueAt.getTime() + 1))).not.toBe(eastAfricanDay(dueAt));
        expect(dueAtOfDay(eastAfricanDay(dueAt))).toEqual(dueAt);
        // A client may send the due date that it read from the API. This does not change the due date.
        expect(read({ dueAt: new JsonNumber(String(dueAt.getTime())) }).info?.dueAt).toEqual(dueAt);
      }),
    );
  });

  test.each(['2026-02-30', '30-11-2026', '', '1999-12-31', '2100-01-01', '2026-11-300'])(
    '%j is no day on which a bill can be due',
    (day) => {
      expect(dueAtOfDay(day)).toBeNull();
    },
  );
});

const later = new JsonNumber(String(now.getTime() + 1));
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

test.each([
  [{ metadata: { order: '17', 'any key': 'two\nlines' } }, { metadata: { order: '17', 'any key': 'two\nlines' } }],
  [{ metadata: many(16) }, { metadata: many(16) }],
  [{ metadata: { ['k'.repeat(40)]: 'v'.repeat(500) } }, { metadata: { ['k'.repeat(40)]: 'v'.repeat(500) } }],
  [{ customer: { email: ' asha@example.com ' } }, { customerEmail: 'asha@example.com' }],
  [{ expiresAt: later }, { expiresAt: new Date(now.getTime() + 1) }],
  [{ language: 'en' }, { language: 'en' }],
  [{ returnUrl: 'https://shop.example.com/orders/17?a=b%20c#x' }, { returnUrl: 'https://shop.example.com/orders/17?a=b%20c#x' }],
])('%j is accepted', (sent, info) => {
  expect(read(sent)).toEqual({ info: { ...NO_INFO, ...info }, ignored: [] });
});

test.each([
  [{ metadata: ['a'] }, 'metadata'],
  [{ metadata: new JsonNumber('7') }, 'metadata'],
  [{ metadata: { order: 17 } }, 'metadata'],
  [{ metadata: many(17) }, 'metadata'],
  [{ metadata: { ['k'.repeat(41)]: 'v' } }, 'metadata'],
  [{ metadata: { '': 'v' } }, 'metadata'],
  [{ metadata: JSON.parse('{"__proto__":"v"}') }, 'metadata'],
  [{ metadata: { k: 'v'.repeat(501) } }, 'metadata'],
  [{ metadata: { k: 'a\u0000b' } }, 'metadata'],
  [{ metadata: { k: '\ud800' } }, 'metadata'],
  [{ customer: { email: 'asha' } }, 'customer.email'],
  [{ expiresAt: new JsonNumber(String(now.getTime())) }, 'expiresAt'],
  [{ expiresAt: '2026-12-24' }, 'expiresAt'],
  [{ expiresAt: new JsonNumber('1e300') }, 'expiresAt'],
  [{ language: 'fr' }, 'language'],
  [{ returnUrl: 'https://evil.example.com/' }, 'returnUrl'],
  [{ returnUrl: 'https://shop.example.com@evil.example.com/' }, 'returnUrl'],
  [{ returnUrl: 'https://shop.example.com.evil.example.com/' }, 'returnUrl'],
  [{ returnUrl: 'http://shop.example.com/' }, 'returnUrl'],
  [{ returnUrl: 'http://localhost:3000/' }, 'returnUrl'],
  [{ returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
  [{ returnUrl: '/orders/17' }, 'returnUrl'],
])('%j is ignored', (sent, name) => {
  expect(read(sent)).toEqual({ info: null, ignored: [name] });
});

test("a developer's own machine is a page to return to in the sandbox only", () => {
  expect(read({ returnUrl: 'http://localhost:8080/done' }, 'sandbox').info?.returnUrl).toBe('http://localhost:8080/done');
  expect(read({ returnUrl: 'http://localhost.example.com/' }, 'sandbox').ignored).toEqual(['returnUrl']);
});

test.each([{ metadata: {} }, { metadata: null, returnUrl: '', expiresAt: null, language: '' }, { customer: { email: '' } }])(
  '%j counts as omitted',
  (sent) => {
    expect(read(sent)).toEqual({ info: null, ignored: [] });
  },
);
