import { reach } from '@/lib/config/fail-point';
import type { Failure } from '@/lib/core/failure';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { insertProviderMessage } from '@/lib/payments/messages/message-store';
import { findAccountByToken } from '@/lib/providers/accounts/accounts';
import type { RawCallback, ReadCallback } from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import type { Runtime } from '@/lib/runtime/runtime';
import { applyCallback } from './apply-callback';

/**
 * Stores a provider's callback, then interprets and applies it. If that fails or this process dies, a worker applies it.
 * Returns the reply that the provider expects.
 */
export async function receiveCallback(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  { provider, token, callback }: { provider: string; token: string; callback: RawCallback },
): Promise<Result<ReadCallback['reply'], Failure>> {
  const account = await findAccountByToken(runtime, provider, token);
  const adapter = account && runtime.providers.find(account.provider);
  if (!adapter || !account) return fail({ code: 'not_found' });

  reach('callback.came');
  const messageId = newId(runtime);
  await insertProviderMessage(runtime.db, {
    id: messageId,
    account,
    attemptId: null,
    kind: 'callback',
    message: callback,
    leaseToken: null,
    receivedAt: runtime.clock(),
  });
  reach('callback.stored');
  return ok(await applyCallback(runtime, { account, adapter, messageId, callback }));
}
