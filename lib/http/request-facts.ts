import { randomUUID } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import type { Settings } from '@/lib/config/settings';
import type { Environment } from '@/lib/core/scope';

/** Set by our listener and by nobody else: it drops them from what comes in. */
export const PEER_HEADER = 'x-bili-peer';
export const LOCAL_PORT_HEADER = 'x-bili-local-port';
/** The path as the client wrote it, in base64url, where a URL would write it otherwise. */
export const TARGET_HEADER = 'x-bili-target';
export const OWN_HEADERS = 'x-bili-';

const REQUEST_ID = /^[\w.-]{8,100}$/;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/i;

/** @returns the caller's own request id when it has a sensible one, else a new one. */
export function requestId(headers: Headers): string {
  const given = headers.get('x-request-id');
  return given !== null && REQUEST_ID.test(given) ? given : randomUUID();
}

/** @returns the path of a request's address without the query, as it was sent. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start < 0) return '/';
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}

/** @returns the path of a request exactly as its client wrote it, without the query. */
export function pathAsSent({ url, headers }: Request): string {
  const target = headers.get(TARGET_HEADER);
  return target === null ? pathOf(url) : Buffer.from(target, 'base64url').toString('latin1');
}

/** @returns the query of a request's address; what is no proper escape in it stands as it was sent. */
export function queryOf(url: string): URLSearchParams {
  const [address = ''] = url.split('#', 1);
  const start = address.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : address.slice(start + 1));
}

export type EnvironmentFinder = (headers: Headers) => Environment | undefined;

/**
 * Finds the environment from the Host header (docs/api.md): the two base addresses by name; loopback names by port
 * alone, and every name while both base addresses are the defaults. A port that says nothing (behind a port mapping) is
 * replaced by the one the request came in at.
 */
export function environmentFinder(
  settings: Pick<Settings, 'PORT' | 'SANDBOX_PORT' | 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL' | 'defaultBaseUrls'>,
): EnvironmentFinder {
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
    // A proxy may name the scheme's own port, which URL.host leaves out.
    if (base.port === '') byHost.set(`${base.host}:${base.protocol === 'https:' ? 443 : 80}`, environment);
    if (LOOPBACK.test(base.hostname) && base.port !== '') byPort.set(base.port, environment);
  }
  return (headers) => {
    const host = (headers.get('host') ?? '').toLowerCase();
    const named = byHost.get(host);
    if (named) return named;
    const [, name = '', port = ''] = /^(.*?)(?::(\d*))?$/.exec(host) ?? [];
    if (!settings.defaultBaseUrls && !LOOPBACK.test(name)) return undefined;
    return byPort.get(port) ?? (settings.defaultBaseUrls ? byPort.get(headers.get(LOCAL_PORT_HEADER) ?? '') : undefined);
  };
}

/**
 * @param onUntrusted told once, when an untrusted peer sends X-Forwarded-For: probably a proxy that TRUSTED_PROXIES lacks.
 * @returns a function that finds the caller's address: the peer's, or behind trusted proxies the last address in
 *   X-Forwarded-For that is not one of them.
 */
export function addressFinder(
  trustedProxies: readonly string[],
  onUntrusted: (peer: string) => void = () => undefined,
): (headers: Headers) => string | null {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  let told = false;
  return (headers) => {
    const peer = plainAddress(headers.get(PEER_HEADER));
    if (peer === null || !isTrusted(peer)) {
      if (!told && peer !== null && headers.has('x-forwarded-for')) {
        told = true;
        onUntrusted(peer);
      }
      return peer;
    }
    const chain = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => plainAddress(part.trim()));
    // The first from the right that is no proxy of ours; what stands left of it, or of something unreadable, anybody can write.
    return chain.findLast((address) => address === null || !isTrusted(address)) ?? peer;
  };
}

/** Some proxies write a port behind the address: `1.2.3.4:5678`, `[2001:db8::1]:443`. */
function plainAddress(text: string | null): string | null {
  const [, bracketed, plain] = /^\[([^\]]*)\](?::\d{1,5})?$|^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(text ?? '') ?? [];
  const address = (bracketed ?? plain ?? text ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? null : address;
}
