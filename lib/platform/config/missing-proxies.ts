import type { Settings } from './settings';

type Needs = Pick<Settings, 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL' | 'TRUSTED_PROXIES'>;

/**
 * Returns a warning if a proxy is probably missing in TRUSTED_PROXIES, otherwise null. Bili has no TLS of its own, so an https base address
 * needs a proxy. If that proxy is not trusted, the requests of all visitors seem to come from its address, so they share one rate limit.
 */
export function missingProxies({ LIVE_BASE_URL, SANDBOX_BASE_URL, TRUSTED_PROXIES }: Needs): string | null {
  const base = [LIVE_BASE_URL, SANDBOX_BASE_URL].find(({ protocol }) => protocol === 'https:');
  if (!base || TRUSTED_PROXIES.length > 0) return null;
  return `${base.origin} is served through a proxy, but TRUSTED_PROXIES is empty: all visitors share one address and its limits. Set TRUSTED_PROXIES to the proxy's address.`;
}
