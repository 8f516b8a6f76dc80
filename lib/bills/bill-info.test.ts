import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import { JsonNumber } from '@/lib/core/json-number';
import { dueAtOfDay, infoMembers, readInfo } from './bill-info';

const read = (sent: Readonly<Record<string, unknown>>) =>
  readInfo({
    description: infoMembers.description.parse(sent.description),
    customer: infoMembers.customer.parse(sent.customer),
    dueAt: infoMembers.dueAt.parse(sent.dueAt),
  });

describe('the optional values of a bill', () => {
  test('are trimmed', () => {
    const sent = { description: ' Kodi ya Novemba ', customer: { name: ' Asha ' } };
    expect(read(sent)).toEqual({ info: { description: 'Kodi ya Novemba', customerName: 'Asha', dueAt: null }, ignored: [] });
  });

  test('are measured in characters, not in UTF-16 units', () => {
    expect(read({ description: '🧾'.repeat(255), customer: { name: '🧾'.repeat(100) } }).ignored).toEqual([]);
    expect(read({ description: '🧾'.repeat(256), customer: { name: '🧾'.repeat(101) } }).ignored).toEqual(['description', 'customer']);
  });

  test('one that is invalid does not affect the others', () => {
    expect(read({ description: 'Kodi', customer: 7 })).toEqual({
      info: { description: 'Kodi', customerName: null, dueAt: null },
      ignored: ['customer'],
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
        // Reading a bill and sending its due date again does not move it.
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
