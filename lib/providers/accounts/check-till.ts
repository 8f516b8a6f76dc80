import { isLoopback } from '@/lib/core/loopback';
import type { Environment } from '@/lib/core/scope';
import type { ProviderAdapter } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { findAccountOfOther, listAccountsToComplete, setCallLimit, setTillIdentity } from './account-store';
import { openAccount } from './accounts';

type Needs = Pick<Runtime, 'db' | 'secrets' | 'settings' | 'log'> & { readonly providers: ProviderRegistry };

interface NewCredentials {
  readonly environment: Environment;
  /** The merchant that owns the account; null for the operator. */
  readonly merchantId: string | null;
  /** In the format of the provider. */
  readonly credentials: string;
}

/**
 * Refuses credentials of a till that an account of another owner has. Receipt numbers are unique only in the till of one owner, so with two
 * owners each payment would be booked twice. The other account may be disabled: it still counts if the ledger has payments of its till.
 * @returns a sentence that describes the problem, or null.
 */
export async function checkTill(
  runtime: Needs,
  adapter: Pick<ProviderAdapter, 'name' | 'tillOf' | 'addressOf'>,
  { environment, merchantId, credentials }: NewCredentials,
): Promise<string | null> {
  const till = adapter.tillOf(credentials);
  const tillIdentity = identityOf(adapter, { environment, credentials });
  if (till === null || tillIdentity === null) return null;
  await completeAccounts(runtime);
  const same = await findAccountOfOther(runtime.db, { provider: adapter.name, environment, merchantId, tillIdentity });
  if (!same) return null;
  const owner = same.merchant === null ? 'the operator' : `the merchant "${same.merchant}"`;
  return `The account "${same.label}" of ${owner} has ${till.shown}: if two owners have the same ${till.name}, each payment is booked twice.`;
}

/**
 * Returns the stored identity of a till; null if none is stored. The sandboxes of providers give the same business number to everybody, so
 * it identifies no till there. Each simulator on this machine is a provider of its own.
 */
export function identityOf(
  adapter: Pick<ProviderAdapter, 'tillOf' | 'addressOf'>,
  { environment, credentials }: { readonly environment: Environment; readonly credentials: string | null },
): string | null {
  const till = adapter.tillOf(credentials);
  if (till === null || (till.isBusinessNumber && environment === 'sandbox')) return null;
  const address = adapter.addressOf(credentials);
  return address !== null && isLoopback(address) ? `${till.key} at ${address.host}` : till.key;
}

/** Stores what older versions did not store of accounts: call limits and the identities of tills. Both come from the encrypted credentials. */
export async function completeAccounts(runtime: Needs): Promise<void> {
  for (const { lacksCallLimit, lacksIdentity, ...stored } of await listAccountsToComplete(runtime.db)) {
    try {
      const adapter = runtime.providers.find(stored.provider);
      if (!adapter) continue;
      const account = openAccount(runtime, stored);
      if (lacksCallLimit) await setCallLimit(runtime.db, stored.id, adapter.callsAtOnce(account));
      const identity = lacksIdentity ? identityOf(adapter, account) : null;
      if (identity !== null) await setTillIdentity(runtime.db, stored.id, identity);
    } catch (error) {
      // Such an account cannot be used. "bili doctor" reports it.
      runtime.log.error({ err: error, account: stored.id }, 'the credentials of an account cannot be read');
    }
  }
}
