import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { typedCases } from '@/testing/kits/case';
import { formatApiAmount, formatDecimal, parseDecimal, readShillings, roundUpToShilling, toWholeShillings } from './money';

describe('parseDecimal', () => {
  test.each([
    ['5000', 5000n, 0],
    ['5000.0', 5000n, 0],
    ['5000.250', 500025n, 2],
    ['5e3', 5000n, 0],
    ['5.0025E3', 50025n, 1],
    ['1e-2', 1n, 2],
    ['-0.5', -5n, 1],
    ['0', 0n, 0],
    ['-0.000', 0n, 0],
    ['5000.250000000000000001', 5000250000000000000001n, 18],
  ])('%s is exact', (text, digits, decimals) => {
    expect(parseDecimal(text)).toEqual({ digits, decimals });
  });

  test.each(['1e999', '1e-999', '', 'five', '1.', '.5', '0x10'])('%j is not an amount', (text) => {
    expect(parseDecimal(text)).toBeNull();
  });

  test('keeps the value of every double that JSON can write', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }), (value) => {
        const decimal = parseDecimal(JSON.stringify(value));
        expect(decimal === null ? 0 : Number(`${decimal.digits}e-${decimal.decimals}`)).toBe(
          Math.abs(value) < 1e-300 && decimal === null ? 0 : value + 0,
        );
      }),
    );
  });
});

test.each([
  [500000n, '5000.0'],
  [500050n, '5000.5'],
  [500025n, '5000.25'],
  [500005n, '5000.05'],
  [1n, '0.01'],
  [0n, '0.0'],
  [-150n, '-1.5'],
])('%d senti are written as %s', (senti, text) => {
  expect(formatApiAmount(senti)).toBe(text);
});

test('a written amount reads as the same amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), (senti) => {
      expect(BigInt(Math.round(Number(formatApiAmount(senti)) * 100))).toBe(senti);
    }),
  );
});

test.each([
  [500000n, 500000n],
  [500001n, 500100n],
  [500099n, 500100n],
  [1n, 100n],
  [0n, 0n],
])('%d senti are rounded up to %d', (amount, rounded) => {
  expect(roundUpToShilling(amount)).toBe(rounded);
});

test('toWholeShillings throws for a fraction of a shilling', () => {
  expect(toWholeShillings(500000n)).toBe(5000n);
  expect(() => toWholeShillings(500001n)).toThrow(RangeError);
});

test.each([
  [500_000n, '5000.00'],
  [5n, '0.05'],
  [-1_250_050n, '-12500.50'],
])('%s senti are %s shillings for a file', (amount, expected) => {
  expect(formatDecimal(amount)).toBe(expected);
});

test.each(typedCases('readShillings'))('a form reads %j as %j', (text, { shillings }) => {
  expect(readShillings(text)).toBe(shillings === null ? null : BigInt(String(shillings)) * 100n);
});

test('a form does not accept a very long text', () => {
  expect(readShillings('9'.repeat(10_000))).toBeNull();
});
