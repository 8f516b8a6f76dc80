import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { listUnlimited, setCallLimit } from './account-store';
import { openAccount } from './accounts';

/** Stores the limit of calls of accounts that were added before limits were stored: it is part of their encrypted credentials. */
export async function readCallLimits(runtime: Runtime & { readonly providers: ProviderRegistry }): Promise<void> {
  for (const stored of await listUnlimited(runtime.db)) {
    try {
      const adapter = runtime.providers.find(stored.provider);
      if (adapter) await setCallLimit(runtime.db, stored.id, adapter.callsAtOnce(openAccount(runtime, stored)));
    } catch (error) {
      // The account cannot be used either; "bili doctor" says so.
      runtime.log.error({ err: error, account: stored.id }, 'the credentials of an account cannot be read');
    }
  }
}
