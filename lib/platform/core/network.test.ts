import { expect, test } from 'vitest';
import { isNetwork, isOperatedNetwork, NETWORKS, parsePrefix } from './network';

test('isNetwork accepts the known networks only', () => {
  for (const network of NETWORKS) expect(isNetwork(network)).toBe(true);
  for (const text of ['', 'Vodacom', 'tigo', 'constructor', '__proto__', 'toString']) expect(isNetwork(text)).toBe(false);
  expect(NETWORKS.filter((network) => !isOperatedNetwork(network))).toEqual(['other']);
});

test('a prefix is the two digits after the leading zero of a mobile number', () => {
  for (const text of ['60', '69', '70', '79']) expect(parsePrefix(text)).toBe(text);
  for (const text of ['', '7', '075', '755', '50', '80', '7x', ' 75', '75\n', '٧٥']) expect(parsePrefix(text)).toBeNull();
});
