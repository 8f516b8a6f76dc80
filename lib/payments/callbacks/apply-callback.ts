import { reach } from '@/lib/config/fail-point';
import { applyOutcome } from '@/lib/payments/attempts/apply-outcome';
import { applyHint } from '@/lib/payments/attempts/hint-store';
import { traceAttempt } from '@/lib/payments/attempts/trace-attempt';
import { recordUnmatched } from '@/lib/payments/ledger/record-unmatched';
import { attachMessage } from '@/lib/payments/messages/message-store';
import { markHandled } from '@/lib/payments/messages/unhandled-store';
import { makeRequestDue } from '@/lib/payments/reversals/requests/store';
import { findAttemptByReference } from '@/lib/payments/store';
import type { ProviderAccount, ProviderAdapter, RawCallback, ReadCallback } from '@/lib/providers/port/port';
import type { Runtime } from '@/lib/runtime/runtime';

interface ApplyCallbackOptions {
  readonly account: ProviderAccount;
  readonly adapter: ProviderAdapter;
  /** The id of the stored provider message. */
  readonly messageId: string;
  readonly callback: RawCallback;
}

/**
 * Applies a stored callback and marks it as handled. An unsigned callback is not believed: it only makes a status query due.
 * Idempotent. Returns the reply that the provider expects.
 */
export async function applyCallback(
  runtime: Runtime,
  { account, adapter, messageId, callback }: ApplyCallbackOptions,
): Promise<ReadCallback['reply']> {
  const { db, clock } = runtime;
  const { reference, providerReference = null, reply, ...content } = adapter.readCallback(account, callback);
  const attempt = await findAttemptByReference(db, account.id, { reference, providerReference });
  runtime.log.info(
    {
      messageId,
      provider: account.provider,
      ...(attempt ? traceAttempt(attempt) : { ourReference: reference }),
      outcome: content.outcome?.kind,
      verified: content.verified,
    },
    'callback received',
  );
  if (attempt && !content.verified) {
    await applyHint(db, { messageId, attemptId: attempt.id, now: clock(), claimsPaid: content.claimsPaid });
    return reply;
  }
  if (attempt) {
    await attachMessage(db, messageId, attempt.id);
    reach('callback.attached');
    if (content.outcome) {
      await applyOutcome(runtime, {
        attempt,
        providerAccountId: account.id,
        outcome: content.outcome,
        providerReference,
        pace: adapter.capabilities,
        source: 'callback',
        leaseToken: null,
        messageId,
      });
      return reply;
    }
  } else if (content.outcome?.kind === 'paid' || content.outcome?.kind === 'reversed') {
    await recordUnmatched(runtime, { account, outcome: content.outcome, mobile: null, source: 'callback' });
  } else if (reference !== null) {
    await makeRequestDue(db, account.id, reference, clock());
  }
  reach('callback.applied');
  await markHandled(db, messageId, clock());
  return reply;
}
