import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseShortCode } from '@/lib/platform/core/ids';
import { groupCode, receiptCodes, receiptStatus } from './rules';

const key = new Uint8Array(32).fill(7);
const bill = { id: '019aa001-0000-7000-8000-000000000001', environment: 'live' } as const;

test('codes have 12 unambiguous letters and digits, and depend only on bill, environment and key', () => {
  const codes = receiptCodes(key, bill);
  const others = [
    receiptCodes(key, { ...bill, environment: 'sandbox' }),
    receiptCodes(key, { ...bill, id: bill.id.replace(/1$/, '2') }),
    receiptCodes(new Uint8Array(32).fill(8), bill),
  ].flat();
  expect(receiptCodes(key, bill)).toEqual(codes);
  expect(new Set([...codes, ...others]).size).toBe(12);
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
});

test('codes use all 60 bits', () => {
  const seen = Array.from({ length: 12 }, () => new Set<string>());
  for (let n = 0; n < 1_000; n += 1) {
    const [code = ''] = receiptCodes(key, { ...bill, id: String(n) });
    for (const [position, letter] of [...code].entries()) seen[position]?.add(letter);
  }
  expect(seen.map(({ size }) => size)).toEqual(Array.from({ length: 12 }, () => 32));
});

test.each([
  ['K7PM-2QXD-9FTA', 'K7PM2QXD9FTA'],
  ['k7pm-2qxd-9fta', 'K7PM2QXD9FTA'],
  [' k7pm 2qxd\u00a09fta\n', 'K7PM2QXD9FTA'],
  ['K7PM–2QXD—9FTA', 'K7PM2QXD9FTA'],
  ['oOiI-lLuU-0000', '001111VV0000'],
  ['K7PM-2QXD-9FT', null],
  ['K7PM-2QXD-9FTAA', null],
  ['K7PM-2QXD-9FT?', null],
  ['K7PM_2QXD_9FTA', null],
  ['K7PM-2QXD-9FTÅ', null],
  ['', null],
])('%j is read as %j', (typed, code) => {
  expect(parseShortCode(typed)).toBe(code);
});

test('a grouped code in lower case is parsed, and no other text throws', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const [code = ''] = receiptCodes(key, { ...bill, id });
      expect(groupCode(code)).toMatch(/^\w{4}-\w{4}-\w{4}$/);
      expect(parseShortCode(groupCode(code).toLowerCase())).toBe(code);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (typed) => {
      expect(parseShortCode(typed) ?? '000000000000').toHaveLength(12);
    }),
  );
});

test.each([
  ['FULLY_PAID', 100n, 100n, 'paid'],
  ['FULLY_PAID', 200n, 100n, 'paid'],
  ['PARTIALLY_PAID', 100n, 100n, 'part'],
  ['PARTIALLY_PAID', 100n, 40n, 'backAndPart'],
  ['NOT_PAID', 100n, 0n, 'back'],
  ['NOT_PAID', 0n, 0n, 'uncounted'],
] as const)('a bill that is %s, received %d and kept %d has the receipt status %s', (status, received, kept, expected) => {
  const payment = { id: '1', transactionId: 'R1', source: 'provider', mobile: null, received, kept, recordedAt: new Date(0) } as const;
  expect(receiptStatus({ status }, [payment])).toBe(expected);
});
