import { expect, test } from 'vitest';
import { clientNetwork } from '@/lib/core/client-network';
import { addressCeiling } from './address-ceiling';

function ceiling(most: number) {
  let now = 0;
  const count = addressCeiling(() => new Date(now), most);
  return { count, advance: (ms: number) => (now += ms) };
}

test('allows requests of an address up to the limit, and again after a minute', () => {
  const { count, advance } = ceiling(2);
  expect([count('10.0.0.1'), count('10.0.0.1'), count('10.0.0.1')]).toEqual([null, null, 60]);
  advance(30_500);
  expect([count('10.0.0.1'), count('10.0.0.2')]).toEqual([30, null]);
  advance(29_500);
  expect(count('10.0.0.1')).toBeNull();
});

test('counts the addresses of one IPv6 /64 together', () => {
  const { count } = ceiling(1);
  expect([count('2001:db8::1'), count('2001:db8:0:0:ffff::2'), count('2001:db8:0:1::1')]).toEqual([null, 60, null]);
});

test('formats an IPv6 client as a network in CIDR notation', () => {
  expect(['10.0.0.1', '2001:db8:0:1::ffff', null].map(clientNetwork)).toEqual(['10.0.0.1', '2001:db8:0:1::/64', '']);
});

test('counts requests without a known address together', () => {
  const { count } = ceiling(1);
  expect([count(null), count(null)]).toEqual([null, 60]);
});

test('forgets the oldest address when 100,000 are remembered', () => {
  const { count } = ceiling(1);
  count('first');
  for (let n = 0; n < 100_000; n += 1) count(`address ${n}`);
  expect([count('first'), count('address 99999')]).toEqual([null, 60]);
});
