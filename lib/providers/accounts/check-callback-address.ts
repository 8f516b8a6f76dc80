import { isLoopback } from '@/lib/core/loopback';
import type { Environment } from '@/lib/core/scope';

interface Addresses {
  readonly environment: Environment;
  /** The base of the environment's callback addresses. */
  readonly base: URL;
  /** The address of the provider; null if Bili simulates the provider. */
  readonly provider: URL | null;
}

/**
 * Checks that a live provider can reach the callback address over https. Plain HTTP would reveal the secret token in the address. Pure.
 * @returns a sentence that describes the problem, or null.
 */
export function checkCallbackAddress({ environment, base, provider }: Addresses): string | null {
  if (environment !== 'live' || provider === null || isLoopback(provider)) return null;
  if (base.protocol === 'https:' && !isLoopback(base)) return null;
  return `LIVE_BASE_URL is ${base.origin}, to which ${provider.host} cannot send callbacks securely: set it to the public https address of this installation first.`;
}
