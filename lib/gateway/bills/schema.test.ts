import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { check } from '@/lib/platform/core/check';
import { JsonNumber } from '@/lib/platform/core/json-number';
import { infoMembers } from './bill-info';
import { NEW_BILL_FAILURES, newBillSchema } from './schema';

const MAX = 1_000_000_000;
const GOOD = { amount: new JsonNumber('5000'), reference: 'ORDER-1', mobile: '0712345678' };

const number = (text: string) => new JsonNumber(text);
const checked = (members: Readonly<Record<string, unknown>>) => check(newBillSchema(MAX), { ...GOOD, ...members });

describe('a new bill', () => {
  test.each([
    ['5000', 500_000n],
    ['5e3', 500_000n],
    ['50.0e2', 500_000n],
    ['5000.250', 500_025n],
    ['5000.000000000000000000', 500_000n],
    ['0.01', 1n],
    ['1000000000', 100_000_000_000n],
    ['999999999.99', 99_999_999_999n],
    ['1e9', 100_000_000_000n],
  ])('has the exact amount %s', (text, amount) => {
    expect(checked({ amount: number(text) })).toMatchObject({ ok: true, value: { amount } });
  });

  test.each([
    [undefined, 'amount_required'],
    [null, 'amount_required'],
    ['5000', 'amount_not_number'],
    [true, 'amount_not_number'],
    [[number('5000')], 'amount_not_number'],
    [{ text: '5000' }, 'amount_not_number'],
    [number('0'), 'amount_not_positive'],
    [number('-0.00'), 'amount_not_positive'],
    [number('-0.001'), 'amount_not_positive'],
    [number('-1e400'), 'amount_not_positive'],
    [number('0.001'), 'amount_too_precise'],
    [number('1e-400'), 'amount_too_precise'],
    [number('5000.000000000000000001'), 'amount_too_precise'],
    [number('1000000000.001'), 'amount_too_precise'],
    [number(`1.${'0'.repeat(60_000)}1`), 'amount_too_precise'],
    [number('1000000000.01'), 'amount_too_large'],
    [number('1e400'), 'amount_too_large'],
    [number(`1${'0'.repeat(60_000)}1`), 'amount_too_large'],
  ])('rejects the amount %o', (amount, code) => {
    expect(checked({ amount })).toMatchObject({ ok: false, error: { code } });
  });

  test.each([
    [undefined, 'reference_required'],
    [null, 'reference_required'],
    ['', 'reference_required'],
    [' \t\n', 'reference_required'],
    [number('7'), 'reference_not_string'],
    [['A'], 'reference_not_string'],
    ['x'.repeat(256), 'reference_too_long'],
    ['🧾'.repeat(256), 'reference_too_long'],
    [`${'x'.repeat(256)}\0`, 'reference_too_long'],
    ['a\0b', 'reference_control_characters'],
    ['a\u0085b', 'reference_control_characters'],
    ['a\ud800b', 'reference_control_characters'],
  ])('rejects the reference %j', (reference, code) => {
    expect(checked({ reference })).toMatchObject({ ok: false, error: { code } });
  });

  test.each([' ORDER-1 ', 'x'.repeat(255), '🧾'.repeat(255), '\u202eright to left'])('has the reference %j unchanged', (reference) => {
    expect(checked({ reference })).toMatchObject({ ok: true, value: { reference } });
  });

  test.each([
    [undefined, null],
    [null, null],
    ['', null],
    ['+255 712-345-678', '0712345678'],
    ['255712345678', '0712345678'],
  ])('reads the mobile number %j as %j', (mobile, expected) => {
    expect(checked({ mobile })).toMatchObject({ ok: true, value: { mobile: expected } });
  });

  test.each([
    [number('712345678'), 'mobile_not_string'],
    [false, 'mobile_not_string'],
    [' ', 'mobile_invalid'],
    ['0812345678', 'mobile_invalid'],
  ])('rejects the mobile number %o', (mobile, code) => {
    expect(checked({ mobile })).toMatchObject({ ok: false, error: { code } });
  });

  test('reports the first problem in the order amount, reference, mobile, whatever the order of the members is', () => {
    expect(checked({ mobile: 7, reference: 7, amount: 7 })).toMatchObject({ error: { code: 'amount_not_number' } });
    expect(checked({ mobile: 7, reference: 7 })).toMatchObject({ error: { code: 'reference_not_string' } });
    expect(check(newBillSchema(MAX), {})).toMatchObject({ error: { code: 'amount_required' } });
  });

  test('ignores unknown members, and names the limit that an amount exceeds', () => {
    expect(checked({ phone: '0712345678', mobile: undefined })).toEqual({
      ok: true,
      value: {
        amount: 500_000n,
        reference: 'ORDER-1',
        mobile: null,
        ...z.object(infoMembers).parse({}),
      },
    });
    expect(check(newBillSchema(20), { ...GOOD, amount: number('20.01') })).toEqual({
      ok: false,
      error: { code: 'amount_too_large', detail: '20' },
    });
  });
});

/** Applies the rules of the contract to the digits of an amount, without code of the product. */
function amountByDigits(text: string): bigint | string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const shift = Number(exponent) + 2;
  const digits = whole + fraction.padEnd(Math.max(fraction.length, shift), '0');
  const point = whole.length + shift;
  const padded = digits.padStart(digits.length + Math.max(0, -point), '0');
  const at = Math.max(0, point);
  const [senti, rest] = [BigInt(padded.slice(0, at) || '0'), padded.slice(at)];
  if (sign === '-' || (senti === 0n && /^0*$/.test(rest))) return 'amount_not_positive';
  if (/[1-9]/.test(rest)) return 'amount_too_precise';
  return senti > BigInt(MAX) * 100n ? 'amount_too_large' : senti;
}

const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom(...'0001259'), minLength: 1, maxLength });
const written = fc
  .tuple(fc.constantFrom('', '', '-'), digits(12), fc.option(digits(22)), fc.option(fc.integer({ min: -30, max: 30 })))
  .map(([sign, whole, fraction, exponent]) => {
    const plain = `${sign}${whole.replace(/^0+(?=\d)/, '')}${fraction === null ? '' : `.${fraction}`}`;
    return exponent === null ? plain : `${plain}e${exponent}`;
  });

test('an amount is read by its digits, in every notation', () => {
  fc.assert(
    fc.property(written, (text) => {
      const bill = checked({ amount: number(text) });
      expect(bill.ok ? bill.value.amount : bill.error.code).toBe(amountByDigits(text));
    }),
    { numRuns: 2_000 },
  );
});

test('every input results in a bill or one of the declared failure codes', () => {
  const member = fc.oneof(fc.jsonValue(), written.map(number), fc.string({ unit: 'binary', maxLength: 300 }));
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.record({ amount: member, reference: member, mobile: member }, { requiredKeys: [] }), (members) => {
      const bill = check(newBillSchema(MAX), members);
      if (!bill.ok) seen.add(bill.error.code);
    }),
    { numRuns: 2_000 },
  );
  expect(NEW_BILL_FAILURES).toEqual(expect.arrayContaining([...seen]));
  expect(seen.size).toBeGreaterThan(3);
});
