import { expect, test } from 'vitest';
import { holderOf } from '@/lib/core/address-holder';
import { addressCeiling } from './address-ceiling';

function ceiling(most: number) {
  let now = 0;
  const count = addressCeiling(() => new Date(now), most);
  return { count, advance: (ms: number) => (now += ms) };
}

test('an address goes on up to the ceiling, and again after its minute', () => {
  const { count, advance } = ceiling(2);
  expect([count('10.0.0.1'), count('10.0.0.1'), count('10.0.0.1')]).toEqual([null, null, 60]);
  advance(30_500);
  expect([count('10.0.0.1'), count('10.0.0.2')]).toEqual([30, null]);
  advance(29_500);
  expect(count('10.0.0.1')).toBeNull();
});

test('addresses of one IPv6 network count together, those of two do not', () => {
  const { count } = ceiling(1);
  expect([count('2001:db8::1'), count('2001:db8:0:0:ffff::2'), count('2001:db8:0:1::1')]).toEqual([null, 60, null]);
});

test('a holder is written as people write networks', () => {
  expect(['10.0.0.1', '2001:db8:0:1::ffff', null].map(holderOf)).toEqual(['10.0.0.1', '2001:db8:0:1::/64', '']);
});

test('requests whose address nobody knows count together', () => {
  const { count } = ceiling(1);
  expect([count(null), count(null)]).toEqual([null, 60]);
});

test('what is remembered has an end', () => {
  const { count } = ceiling(1);
  count('first');
  for (let n = 0; n < 100_000; n += 1) count(`address ${n}`);
  expect([count('first'), count('address 99999')]).toEqual([null, 60]);
});
