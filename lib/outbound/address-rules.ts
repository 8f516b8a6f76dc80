import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Where calls to addresses that somebody else chose may go. */
export interface AddressRules {
  /** Only ports 443 and 8443, as is due where real money is told about. */
  readonly fewPorts: boolean;
  /** This machine itself may be called, and plain http may be used: development, where nobody else is there. */
  readonly local: boolean;
  /** Networks of a private deployment, as `10.1.0.0/16` or one address: open by any port, with or without TLS. */
  readonly networks: readonly string[];
}

export type Refusal = keyof typeof REFUSALS;

/** Each says what the address must be, and nothing of what is found there. */
export const REFUSALS = {
  protocol: 'must start with https://',
  credentials: 'must not contain a user name or password',
  port: 'must use port 443 or 8443',
  address: 'must be on the public internet',
} as const;

const PORTS = ['', '443', '8443'];
/** Azure's virtual machines find their host under this public address: learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16. */
const AZURE_HOST = '168.63.129.16';
/** The only part of IPv6 that IANA gives out for public use; the rest is reserved. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const LOOPBACK = ['127.0.0.1', '::1'];

/** @returns why a call may not go there, as far as that can be said before a name is resolved; null when nothing speaks against it. */
export function judgeUrl(url: URL, rules: AddressRules): Refusal | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'protocol';
  if (url.username || url.password) return 'credentials';
  const known = knownAddresses(url.hostname);
  if (known) return judgeAddresses(known, url, rules);
  return rules.networks.length > 0 ? null : judgeManner(url, rules);
}

/** Judges all addresses of one name: a single one that is refused refuses the name. At least one is needed. */
export function judgeAddresses(addresses: readonly string[], url: Pick<URL, 'protocol' | 'port'>, rules: AddressRules): Refusal | null {
  if (addresses.length === 0) return 'address';
  for (const address of addresses) {
    const refusal = judgeAddress(address, url, rules);
    if (refusal) return refusal;
  }
  return null;
}

/**
 * The addresses of a host that need no asking: of a literal, and of `localhost`, which RFC 6761 keeps away from name servers.
 * @param hostname as `URL` writes it, or without its brackets. @returns null for any other name.
 */
export function knownAddresses(hostname: string): string[] | null {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host)) return [host];
  return /(^|\.)localhost\.?$/i.test(host) ? LOOPBACK : null;
}

function judgeAddress(text: string, url: Pick<URL, 'protocol' | 'port'>, rules: AddressRules): Refusal | null {
  const address = parseAddress(text);
  if (!address) return 'address';
  if (rules.networks.some((network) => contains(network, address))) return null;
  if (!isPublic(address) && !(rules.local && address.range() === 'loopback')) return 'address';
  return judgeManner(url, rules);
}

/** Protocol and port, where the address gives no exemption. */
function judgeManner({ protocol, port }: Pick<URL, 'protocol' | 'port'>, { fewPorts, local }: AddressRules): Refusal | null {
  if (protocol !== 'https:' && !local) return 'protocol';
  return fewPorts && !PORTS.includes(port) ? 'port' : null;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An IPv4 address in IPv6's clothes is unpacked: the kernel connects to the one inside. */
function parseAddress(text: string): Address | null {
  const version = isIP(text);
  if (version === 0 || text.includes('%')) return null;
  if (version === 4) return ipaddr.IPv4.parse(text);
  // ipaddr.js takes ::127.0.0.1 for ::ffff:127.0.0.1, so it gets the spelling without dots.
  const address = ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 ? address.toString() !== AZURE_HOST : address.match(PUBLIC_IPV6);
}

function contains(network: string, address: Address): boolean {
  const [text = '', prefix] = network.split('/');
  const base = parseAddress(text);
  if (!base || base.kind() !== address.kind()) return false;
  return address.match(base, prefix === undefined ? base.toByteArray().length * 8 : Number(prefix));
}
