import type { Environment } from '@/lib/core/scope';
import type { ProviderAdapter } from '@/lib/providers/port/port';
import type { Runtime } from '@/lib/runtime/runtime';
import { listAccountsOfOthers } from './account-store';
import { openAccount } from './accounts';

interface NewCredentials {
  readonly environment: Environment;
  /** The merchant that owns the account; null for the operator. */
  readonly merchantId: string | null;
  /** In the format of the provider. */
  readonly credentials: string;
}

/**
 * Refuses credentials with a shortcode (business number) that an account of another owner has. Receipt numbers are unique only in the till
 * of one owner, so with two owners each payment would be booked twice. The other account may be disabled: it still counts if the ledger has
 * payments of its till. Does not check sandbox accounts, because the provider's sandbox gives everybody the same shortcode.
 * @returns a sentence that describes the problem, or null.
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
  return `The account "${same.label}" of ${owner} has the shortcode ${shortcode}: if two owners have the same shortcode, each payment is booked twice.`;
}
