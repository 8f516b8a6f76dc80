import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { listAccountsWithoutCallLimit, setCallLimit } from './account-store';
import { openAccount } from './accounts';

/** Stores the call limits of accounts that were added before limits were stored. The limits are read from the encrypted credentials. */
export async function readCallLimits(runtime: Runtime & { readonly providers: ProviderRegistry }): Promise<void> {
  for (const stored of await listAccountsWithoutCallLimit(runtime.db)) {
    try {
      const adapter = runtime.providers.find(stored.provider);
      if (adapter) await setCallLimit(runtime.db, stored.id, adapter.callsAtOnce(openAccount(runtime, stored)));
    } catch (error) {
      // Such an account cannot be used. "bili doctor" reports it.
      runtime.log.error({ err: error, account: stored.id }, 'the credentials of an account cannot be read');
    }
  }
}
