import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Rules for the addresses that Bili may call when a merchant has chosen the URL. */
export interface AddressRules {
  /** Allows only ports 443 and 8443. Used in live. Otherwise, ports above 1024 are allowed too. */
  readonly standardPortsOnly: boolean;
  /** Allows loopback addresses and plain http. Used in development, where nobody else can reach the machine. */
  readonly local: boolean;
  /** Networks (`10.1.0.0/16`) or addresses of a private deployment. Every port is allowed there, with or without TLS. */
  readonly networks: readonly string[];
}

export type Refusal = keyof typeof REFUSALS;

/** What a forbidden URL violates. Merchants see these texts, so they say what the rules require and not what Bili found at the address. */
export const REFUSALS = {
  protocol: 'must start with https://',
  credentials: 'must not contain a user name or password',
  port: 'must use port 443 or 8443, or in the sandbox a port above 1024',
  address: 'must be on the public internet',
} as const;

const PORTS = ['', '443', '8443'];
/** The ports up to this one belong to services of the system, such as SSH and mail. A webhook to them would only serve to scan them. */
const SYSTEM_PORT_MAX = 1_024;
/**
 * Under this public address, Azure's virtual machines reach services of their host:
 * learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16.
 */
const AZURE_HOST = '168.63.129.16';
/** The only part of IPv6 that IANA assigns for public use. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const LOOPBACK = ['127.0.0.1', '::1'];

/** Returns why a URL may not be called, or null. A host name is not resolved yet, so its addresses must be checked later. */
export function judgeUrl(url: URL, rules: AddressRules): Refusal | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'protocol';
  if (url.username || url.password) return 'credentials';
  const known = knownAddresses(url.hostname);
  if (known) return judgeAddresses(known, url, rules);
  return rules.networks.length > 0 ? null : judgePort(url, rules);
}

/** Checks all addresses of a host name. Returns why the name may not be called (an address is forbidden, or there is none), or null. */
export function judgeAddresses(addresses: readonly string[], url: Pick<URL, 'protocol' | 'port'>, rules: AddressRules): Refusal | null {
  if (addresses.length === 0) return 'address';
  for (const address of addresses) {
    const refusal = judgeAddress(address, url, rules);
    if (refusal) return refusal;
  }
  return null;
}

/**
 * Returns the addresses of a host that needs no DNS query: an IP address, or `localhost`, which RFC 6761 excludes from DNS.
 * @param hostname an IPv6 address may have brackets. @returns null for other names.
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
  return judgePort(url, rules);
}

/** Checks the protocol and the port of addresses that are not in `rules.networks`. */
function judgePort({ protocol, port }: Pick<URL, 'protocol' | 'port'>, { standardPortsOnly, local }: AddressRules): Refusal | null {
  if (protocol !== 'https:' && !local) return 'protocol';
  const allowed = local || PORTS.includes(port) || (!standardPortsOnly && Number(port) > SYSTEM_PORT_MAX);
  return allowed ? null : 'port';
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Parses an address. Converts an IPv4-mapped IPv6 address to IPv4, because the kernel connects to the IPv4 address. */
function parseAddress(text: string): Address | null {
  const version = isIP(text);
  if (version === 0 || text.includes('%')) return null;
  if (version === 4) return ipaddr.IPv4.parse(text);
  // ipaddr.js confuses ::127.0.0.1 with ::ffff:127.0.0.1, so `URL` first converts the address to the notation without dots.
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
