import ipaddr from 'ipaddr.js';

/** @returns what stands for whoever holds an address: of IPv6 the first 64 bits, for one customer of a provider has at least a /64 (RFC 6177). */
export function holderOf(address: string | null): string {
  if (address === null || !ipaddr.IPv6.isValid(address)) return address ?? '';
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':');
}
