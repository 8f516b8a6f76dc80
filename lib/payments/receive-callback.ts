import { reach } from '@/lib/config/fail-point';
import type { Runtime } from '@/lib/config/runtime';
import type { Failure } from '@/lib/core/failure';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { RawCallback, ReadCallback } from '@/lib/providers/port';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { hastenRequest } from '@/lib/reversals/store';
import { findAccountByToken } from './accounts';
import { applyOutcome } from './apply-outcome';
import { keepUnmatched } from './keep-unmatched';
import { attachMessage, insertProviderMessage } from './message-store';
import { findAttemptByReference, hastenQuery } from './store';

interface ReceiveCallbackOptions {
  readonly provider: string;
  readonly token: string;
  readonly callback: RawCallback;
}

/**
 * Takes a provider's callback: stores it before it is understood, then applies it if the provider signed it, or has the
 * workers ask the provider if not. @returns the reply that this provider expects.
 */
export async function receiveCallback(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  { provider, token, callback }: ReceiveCallbackOptions,
): Promise<Result<ReadCallback['reply'], Failure>> {
  const adapter = runtime.providers.find(provider);
  const account = adapter && (await findAccountByToken(runtime, provider, token));
  if (!adapter || !account) return fail({ code: 'not_found' });

  reach('callback.came');
  const messageId = newId(runtime);
  await insertProviderMessage(runtime.db, {
    id: messageId,
    account,
    attemptId: null,
    kind: 'callback',
    message: callback,
    receivedAt: runtime.clock(),
  });
  reach('callback.stored');
  const { reference, reply, ...said } = adapter.readCallback(account, callback);
  const attempt = reference === null ? undefined : await findAttemptByReference(runtime.db, account.id, reference);
  runtime.log.info(
    { messageId, provider, attemptId: attempt?.id, billId: attempt?.billId, outcome: said.outcome?.kind, verified: said.verified },
    'callback received',
  );
  if (!attempt) {
    if (said.outcome?.kind === 'paid' || said.outcome?.kind === 'reversed')
      await keepUnmatched(runtime, { account, outcome: said.outcome, mobile: null, source: 'callback' });
    else if (reference !== null) await hastenRequest(runtime.db, account.id, reference, runtime.clock());
    return ok(reply);
  }

  await attachMessage(runtime.db, messageId, attempt.id);
  reach('callback.attached');
  if (!said.verified) {
    await hastenQuery(runtime.db, attempt.id, runtime.clock());
  } else if (said.outcome) {
    await applyOutcome(runtime, {
      attempt,
      providerAccountId: account.id,
      outcome: said.outcome,
      pace: adapter.capabilities,
      source: 'callback',
      leaseToken: null,
    });
  }
  return ok(reply);
}
