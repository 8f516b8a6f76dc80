import type { Environment } from '@/lib/core/scope';
import type { ProviderAdapter } from '@/lib/providers/port/port';
import type { Runtime } from '@/lib/runtime/runtime';
import { openAccount } from './accounts';
import { listAccountsOfOthers } from './till-store';

interface NewCredentials {
  readonly environment: Environment;
  /** Whose account it is; null for the operator's. */
  readonly merchantId: string | null;
  /** In the provider's own form. */
  readonly credentials: string;
}

/**
 * Refuses a shortcode that another owner has: a till is an owner's, so the same receipt would be booked once for each of them.
 * An account that is disabled counts while the ledger has money of its till. In a provider's sandbox everybody has the same shortcode.
 * @returns a sentence that says what is wrong, or null.
 */
export async function checkShortcode(
  runtime: Pick<Runtime, 'db' | 'secrets' | 'settings'>,
  adapter: Pick<ProviderAdapter, 'name' | 'shortcodeOf'>,
  { environment, merchantId, credentials }: NewCredentials,
): Promise<string | null> {
  const shortcode = adapter.shortcodeOf(credentials);
  if (environment === 'sandbox' || shortcode === null) return null;
  const others = await listAccountsOfOthers(runtime.db, { provider: adapter.name, environment, merchantId });
  const same = others.find((account) => adapter.shortcodeOf(openAccount(runtime, account).credentials) === shortcode);
  if (!same) return null;
  const owner = same.merchant === null ? 'the operator' : `the merchant "${same.merchant}"`;
  return `The account "${same.label}" of ${owner} has the shortcode ${shortcode}: two owners with one shortcode would book the same receipt twice.`;
}
