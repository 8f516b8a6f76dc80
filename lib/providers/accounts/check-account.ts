import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { findAccountById } from './account-store';
import { openAccount } from './accounts';
import { testCredentials } from './test-credentials';

/**
 * Tests the credentials of an account at its provider. Moves no money.
 * @returns null when it works, or what came instead; fails when there is no such account (`not_found`), or when its provider is
 *   a part of the worker and has no address that could be called (`simulated`).
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
