import { expect, test } from 'vitest';
import { findDifferentForm } from './settle-attempt';

const others = ['9G42LAJ0MQ', '9G52LBK1NR', '9G62LCL2PS'];

test.each([
  ['9H12ABC3DE', null],
  ['9H12ABC3D', '9G42LAJ0MQ'],
  ['9h12abc3de', '9G42LAJ0MQ'],
  ['9H12-BC3DE', '9G42LAJ0MQ'],
  ['1234567890', '9G42LAJ0MQ'],
])('%s compared with receipts of the same account: %s', (receipt, expected) => {
  expect(findDifferentForm(receipt, others)).toBe(expected);
});

test('too few receipts give no result', () => {
  expect(findDifferentForm('x', [])).toBeNull();
  expect(findDifferentForm('x', others.slice(1))).toBeNull();
});
