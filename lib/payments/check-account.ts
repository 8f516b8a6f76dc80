import type { Runtime } from '@/lib/config/runtime';
import { isUuid, newPaymentReference } from '@/lib/core/ids';
import { SENTI_PER_SHILLING } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { findAccountById } from './account-store';
import { openAccount } from './accounts';

/**
 * Asks the provider about a push that never was: if it says so, address, credentials and session are right. Moves no money.
 * @returns null when it works, or what came instead; fails when there is no such account.
 */
export async function checkAccount(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  id: string,
): Promise<Result<string | null, 'not_found'>> {
  const stored = isUuid(id) ? await findAccountById(runtime.db, id) : undefined;
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!stored || !adapter) return fail('not_found');
  const push = {
    reference: newPaymentReference(runtime.random),
    providerReference: null,
    mobile: '0750000000',
    network: 'other',
    amount: SENTI_PER_SHILLING,
    description: 'Test',
  } as const;
  const answer = await adapter.query(openAccount(runtime, stored), push, new AbortController().signal);
  if (adapter.readStatus(answer, push).kind === 'not_found') return ok(null);
  return ok(answer.error ?? `HTTP ${answer.status}: ${new TextDecoder().decode(answer.body).slice(0, 200)}`);
}
