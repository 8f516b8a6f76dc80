import type { Settings } from './settings';

type Needs = Pick<Settings, 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL' | 'TRUSTED_PROXIES'>;

/**
 * Bili has no TLS of its own, so an https base address means a proxy. If it is not trusted, all visitors seem to come from one
 * address, and one of them can use up everybody's limits.
 * @returns what to do about it, or null when all is well.
 */
export function missingProxies({ LIVE_BASE_URL, SANDBOX_BASE_URL, TRUSTED_PROXIES }: Needs): string | null {
  const base = [LIVE_BASE_URL, SANDBOX_BASE_URL].find(({ protocol }) => protocol === 'https:');
  if (!base || TRUSTED_PROXIES.length > 0) return null;
  return `${base.origin} is served through a proxy, but TRUSTED_PROXIES is empty: all visitors share one address and its limits. Set TRUSTED_PROXIES to the proxy's address.`;
}
