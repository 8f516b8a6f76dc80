import ipaddr from 'ipaddr.js';

/** @returns whoever counts as one: an address, or its /64, which is the least that one customer of an IPv6 provider has (RFC 6177). */
export function holderOf(address: string | null): string {
  if (address === null || !ipaddr.IPv6.isValid(address)) return address ?? '';
  const network = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${new ipaddr.IPv6([...network, 0, 0, 0, 0])}/64`;
}
