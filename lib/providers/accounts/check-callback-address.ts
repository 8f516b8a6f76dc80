import { isLoopback } from '@/lib/core/loopback';
import type { Environment } from '@/lib/core/scope';

interface Addresses {
  readonly environment: Environment;
  /** The base of the environment's callback addresses. */
  readonly base: URL;
  /** Where the provider is; null for one of this deployment's own. */
  readonly provider: URL | null;
}

/**
 * A live provider must be able to call back, and not in the clear: the address carries the secret that lets a callback in.
 * Pure. @returns a sentence that says what is wrong, or null.
 */
export function checkCallbackAddress({ environment, base, provider }: Addresses): string | null {
  if (environment !== 'live' || provider === null || isLoopback(provider)) return null;
  if (base.protocol === 'https:' && !isLoopback(base)) return null;
  return `LIVE_BASE_URL is ${base.origin}, where ${provider.host} cannot safely call back: set it to this deployment's public https address first.`;
}
