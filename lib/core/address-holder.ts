import ipaddr from 'ipaddr.js';

/** @returns whoever counts as one: an address, or its /64, which is the least that one customer of an IPv6 provider has (RFC 6177). */
export function holderOf(address: string | null): string {
  if (address === null || !ipaddr.IPv6.isValid(address)) return address ?? '';
  const network = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${new ipaddr.IPv6([...network, 0, 0, 0, 0])}/64`;
}

/** Prefix lengths of networks that one customer of a provider may have many addresses in: 24 for IPv4, 56 and 48 for IPv6. */
export type NetworkSize = 24 | 56 | 48;

/** @returns the larger networks around an address, the smallest first; none for what is no address. */
export function networksOf(address: string | null): { readonly network: string; readonly size: NetworkSize }[] {
  if (address === null || !ipaddr.isValid(address)) return [];
  const parsed = ipaddr.process(address);
  const sizes: readonly NetworkSize[] = parsed instanceof ipaddr.IPv6 ? [56, 48] : [24];
  return sizes.map((size) => ({ network: networkAround(parsed, size), size }));
}

function networkAround(address: ipaddr.IPv4 | ipaddr.IPv6, size: NetworkSize): string {
  const bytes = address.toByteArray().map((byte, at) => (at * 8 < size ? byte : 0));
  return `${ipaddr.fromByteArray(bytes)}/${size}`;
}
