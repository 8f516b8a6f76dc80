import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { findAccountById } from './account-store';
import { openAccount } from './accounts';
import { testCredentials } from './test-credentials';

/**
 * Tests the credentials of an account at its provider. Moves no money.
 * @returns null if they work, else the error. Fails with `not_found` if there is no such account, and with `simulated` if its
 *   provider is the simulator in the worker, which has no fixed address to call.
 */
export async function checkAccount(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  id: string,
): Promise<Result<string | null, 'not_found' | 'simulated'>> {
  const stored = isUuid(id) ? await findAccountById(runtime.db, id) : undefined;
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!stored || !adapter) return fail('not_found');
  if (adapter.simulatesFailures) return fail('simulated');
  return ok(await testCredentials(adapter, openAccount(runtime, stored), runtime.random));
}
