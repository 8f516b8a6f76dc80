import ipaddr from 'ipaddr.js';

/**
 * Returns the part of an address that one client controls: the IPv4 address, or the IPv6 /64 (the smallest network of one customer, RFC
 * 6177).
 */
export function clientNetwork(address: string | null): string {
  if (address === null || !ipaddr.IPv6.isValid(address)) return address ?? '';
  const network = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${new ipaddr.IPv6([...network, 0, 0, 0, 0])}/64`;
}

/** Prefix length of a network in which one client may have many addresses: 24 for IPv4, 56 and 48 for IPv6. */
export type NetworkSize = 24 | 56 | 48;

/** Returns the larger networks that contain an address, smallest first. The list is empty if the text is not an address. */
export function largerNetworks(address: string | null): { readonly network: string; readonly size: NetworkSize }[] {
  if (address === null || !ipaddr.isValid(address)) return [];
  const parsed = ipaddr.process(address);
  const sizes: readonly NetworkSize[] = parsed instanceof ipaddr.IPv6 ? [56, 48] : [24];
  return sizes.map((size) => ({ network: networkAround(parsed, size), size }));
}

function networkAround(address: ipaddr.IPv4 | ipaddr.IPv6, size: NetworkSize): string {
  const bytes = address.toByteArray().map((byte, at) => (at * 8 < size ? byte : 0));
  return `${ipaddr.fromByteArray(bytes)}/${size}`;
}
