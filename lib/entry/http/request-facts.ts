import { randomUUID } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { Settings } from '@/lib/platform/config/settings';
import type { Environment } from '@/lib/platform/core/scope';

/** Internal headers. Only our listener sets them. It removes headers with these names from incoming requests, so nobody can forge them. */
export const PEER_HEADER = 'x-bili-peer';
export const LOCAL_PORT_HEADER = 'x-bili-local-port';
export const OWN_HEADERS = 'x-bili-';

/** Reads a header by its lower-case name. */
export interface HeaderReader {
  get(name: string): string | null;
}

const REQUEST_ID = /^[\w.-]{8,100}$/;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/i;

/** Returns the caller's request id if it is well-formed, otherwise a new one. */
export function requestId(headers: HeaderReader): string {
  const given = headers.get('x-request-id');
  return given !== null && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Returns a request target without the query. */
export function withoutQuery(target: string): string {
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

/** Returns the path of a URL without the query. It is not decoded. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start < 0) return '/';
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}

/** Returns the query parameters of a URL. Invalid escapes stay as they were sent. */
export function queryOf(url: string): URLSearchParams {
  const [address = ''] = url.split('#', 1);
  const start = address.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : address.slice(start + 1));
}

/**
 * Returns a function that calls `work` only if the argument differs from the last one, and otherwise returns the last result again. For
 * pure functions whose argument is mostly the same in successive requests, such as the client's address.
 */
export function rememberLast<Argument, Value>(work: (argument: Argument) => Value): (argument: Argument) => Value {
  let last: { readonly argument: Argument; readonly value: Value } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, value: work(argument) };
    return last.value;
  };
}

type BaseAddresses = Pick<Settings, 'PORT' | 'SANDBOX_PORT' | 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL'>;

/**
 * Returns a function that normalises a Host header, as browsers do with Origin: in lower case and without the default port, which some
 * proxies add. For a base address, its scheme decides which port that is. For other hosts the scheme is unknown, so it is 80 or 443, unless
 * Bili itself serves plain HTTP at 443.
 */
export function hostNormaliser(settings: BaseAddresses): (host: string) => string {
  const bases = [settings.LIVE_BASE_URL, settings.SANDBOX_BASE_URL];
  const hosts = new Set(bases.map(({ host }) => host));
  const servesAt443 = settings.PORT === 443 || settings.SANDBOX_PORT === 443;
  return rememberLast((given) => {
    const host = given.toLowerCase();
    if (hosts.has(host)) return host;
    const [, name = host, port] = /^(.*?):(\d*)$/.exec(host) ?? [];
    const base = bases.find((one) => one.host === name);
    const isDefault = base ? port === (base.protocol === 'https:' ? '443' : '80') : port === '80' || (port === '443' && !servesAt443);
    return port === '' || isDefault ? name : host;
  });
}

export type EnvironmentFinder = (headers: HeaderReader) => Environment | undefined;

/**
 * Returns a function that finds the environment by the Host header (docs/api.md). If the header contains the host of a base address, that
 * address decides. Otherwise, if the header contains a loopback host, the port in the header decides. If the operator has set no base
 * address, that port decides for every host. In this case, if no environment has that port (behind a port mapping), the local port at which
 * the request arrived decides.
 */
export function environmentFinder(settings: BaseAddresses & Pick<Settings, 'defaultBaseUrls'>): EnvironmentFinder {
  const normalise = hostNormaliser(settings);
  const byPort = new Map<string, Environment>([
    [String(settings.SANDBOX_PORT), 'sandbox'],
    [String(settings.PORT), 'live'],
  ]);
  const byHost = new Map<string, Environment>();
  for (const [base, environment] of [
    [settings.LIVE_BASE_URL, 'live'],
    [settings.SANDBOX_BASE_URL, 'sandbox'],
  ] as const) {
    byHost.set(base.host, environment);
    if (LOOPBACK.test(base.hostname) && base.port !== '') byPort.set(base.port, environment);
  }
  const find = rememberLast((given: string): { environment: Environment | undefined; byLocalPort: boolean } => {
    const host = normalise(given);
    const named = byHost.get(host);
    if (named) return { environment: named, byLocalPort: false };
    const [, name = '', port = ''] = /^(.*?)(?::(\d*))?$/.exec(host) ?? [];
    if (!settings.defaultBaseUrls && !LOOPBACK.test(name)) return { environment: undefined, byLocalPort: false };
    return { environment: byPort.get(port || '80'), byLocalPort: settings.defaultBaseUrls };
  });
  return (headers) => {
    const { environment, byLocalPort } = find(headers.get('host') ?? '');
    return environment ?? (byLocalPort ? byPort.get(headers.get(LOCAL_PORT_HEADER) ?? '') : undefined);
  };
}

/**
 * Returns a function that finds the caller's IP address. This is the address at the other end of the connection (the peer). But if the
 * peer is a trusted proxy, the caller's address is the last one in X-Forwarded-For that is not a trusted proxy.
 * @param onUntrusted called once, when an untrusted peer sends X-Forwarded-For. The peer is probably a proxy that TRUSTED_PROXIES lacks.
 */
export function addressFinder(
  trustedProxies: readonly string[],
  onUntrusted: (peer: string) => void = () => undefined,
): (headers: HeaderReader) => string | null {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  const readPeer = rememberLast((text: string | null) => {
    const peer = plainAddress(text);
    return { peer, proxy: peer !== null && isTrusted(peer) };
  });

  let reported = false;
  return (headers) => {
    const { peer, proxy } = readPeer(headers.get(PEER_HEADER));
    const forwarded = headers.get('x-forwarded-for');
    if (forwarded === null) return peer;
    if (!proxy) {
      if (!reported && peer !== null) {
        reported = true;
        onUntrusted(peer);
      }
      return peer;
    }
    const chain = forwarded.split(',').map((part) => plainAddress(part.trim()));
    // Returns the last address that is not a trusted proxy. But if an unreadable entry comes after that address, returns the peer, because
    // the client may have forged everything before the unreadable entry.
    return chain.findLast((address) => address === null || !isTrusted(address)) ?? peer;
  };
}

/** Removes the port that some proxies append to the address: `1.2.3.4:5678`, `[2001:db8::1]:443`. */
function plainAddress(text: string | null): string | null {
  const [, bracketed, plain] = /^\[([^\]]*)\](?::\d{1,5})?$|^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text ?? '') ?? [];
  const address = (bracketed ?? plain ?? text ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? null : address;
}

/** Returns whether If-None-Match contains the ETag, so that the answer is 304. Ignores the prefix `W/`, which compression adds. */
export function hasVersion(ifNoneMatch: string | null, etag: string): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch !== null && (ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => plain(tag) === plain(etag)));
}
