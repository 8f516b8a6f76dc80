import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { findAccountById, markDisabled } from './account-store';
import { openAccount } from './accounts';
import { testCredentials } from './test-credentials';

/**
 * Tests the credentials of an account at its provider. Moves no money.
 * @returns null if the credentials work, else the error. Fails with `not_found` if there is no such account, and with `simulated` if its
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

/**
 * Disables an account for new attempts. Bili still queries open attempts, and still processes callbacks.
 * @returns false if there is no such account, or if it is already disabled.
 */
export async function disableAccount(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { id, actor }: { id: string; actor: Actor },
): Promise<boolean> {
  if (!isUuid(id)) return false;
  return runtime.db.transaction(async (tx) => {
    const disabled = await markDisabled(tx, id, runtime.clock());
    if (!disabled) return false;
    await recordEntry(runtime, { ...disabled, actor, action: 'provider_account.disabled', subject: id }, tx);
    return true;
  });
}
