import ipaddr from 'ipaddr.js';
import { fail, ok, type Result } from '@/lib/platform/core/result';

/** The maximum number of networks of a key: enough for the servers of a shop, and few enough to check at every request. */
const NETWORKS_MAX = 50;
/** The longest text that is parsed, in characters: 50 of the longest IPv6 networks with separators. */
const TEXT_MAX = NETWORKS_MAX * 60;

/**
 * Pure. Parses IP addresses and networks that are separated by line breaks, spaces or commas: `41.59.10.7`, `41.59.0.0/16`,
 * `2001:db8::/32`. Returns them in their stored form without duplicates, or the first invalid part of the text.
 */
export function parseNetworks(
  text: string,
): Result<string[], { readonly code: 'not_a_network' | 'too_many_networks'; readonly text: string }> {
  if (text.length > TEXT_MAX) return fail({ code: 'too_many_networks', text: String(NETWORKS_MAX) });
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  const networks = new Set<string>();
  for (const part of parts) {
    const network = readNetwork(part);
    if (network === null) return fail({ code: 'not_a_network', text: part.slice(0, 60) });
    networks.add(network);
    if (networks.size > NETWORKS_MAX) return fail({ code: 'too_many_networks', text: String(NETWORKS_MAX) });
  }
  return ok([...networks]);
}

/** Pure. Returns whether an address is in one of the networks. An empty list allows all. An unknown address is in no network. */
export function isAllowedFrom(networks: readonly string[], address: string | null): boolean {
  if (networks.length === 0) return true;
  if (address === null || !ipaddr.isValid(address)) return false;
  const from = ipaddr.process(address);
  return networks.some((network) => contains(network, from));
}

function readNetwork(text: string): string | null {
  const [base = '', prefix, ...rest] = text.split('/');
  if (rest.length > 0 || !isWritten(base)) return null;
  const address = ipaddr.process(base);
  if (prefix === undefined) return address.toString();
  // An IPv4 network in IPv6 notation (`::ffff:41.59.0.0/112`) is refused, because its prefix length differs from that in IPv4 notation.
  const most = address.kind() === 'ipv6' ? 128 : base.includes(':') ? -1 : 32;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > most) return null;
  const bits = Number(prefix);
  const first =
    address.kind() === 'ipv6'
      ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)
      : ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`);
  return `${first}/${bits}`;
}

/** Returns whether a text is an IP address in a usual notation. ipaddr.js also accepts 10.1 and 0x7f000001, which are not. */
function isWritten(text: string): boolean {
  return text.includes(':') ? ipaddr.IPv6.isValid(text) && !text.includes('%') : ipaddr.IPv4.isValidFourPartDecimal(text);
}

function contains(network: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!network.includes('/')) return network === address.toString();
  const [base, bits] = ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base, bits);
}
