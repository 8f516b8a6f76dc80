import { expect, test } from 'vitest';
import { clientNetwork } from './client-network';

test('an IPv6 client is its /64, in CIDR notation; an unknown one is empty', () => {
  const clients = ['10.0.0.1', '2001:db8:0:1::ffff', '2001:db8:0:1:ffff::2', '2001:db8:0:2::1', null];
  expect(clients.map(clientNetwork)).toEqual(['10.0.0.1', '2001:db8:0:1::/64', '2001:db8:0:1::/64', '2001:db8:0:2::/64', '']);
});
