import { reach } from '@/lib/config/fail-point';
import { applyOutcome } from '@/lib/payments/attempts/apply-outcome';
import { applyHint, noteLeftClaim } from '@/lib/payments/attempts/hint-store';
import { reviewLeftClaim } from '@/lib/payments/attempts/review-claim';
import { traceAttempt } from '@/lib/payments/attempts/trace-attempt';
import { recordUnmatched } from '@/lib/payments/ledger/record-unmatched';
import { attachMessage } from '@/lib/payments/messages/message-store';
import { markHandled } from '@/lib/payments/messages/unhandled-store';
import { makeRequestDue } from '@/lib/payments/reversals/requests/store';
import { findAttemptByReference, findLeftAttempt, type LeftAttempt } from '@/lib/payments/store';
import type { Outcome } from '@/lib/providers/port/outcome';
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
 * Applies a stored callback and marks it as handled. An unsigned callback is not believed: it only makes a status query due. If it claims a
 * payment, the claim is remembered.
 * Idempotent. Returns the reply that the provider expects.
 */
export async function applyCallback(
  runtime: Runtime,
  { account, adapter, messageId, callback }: ApplyCallbackOptions,
): Promise<ReadCallback['reply']> {
  const { db, clock } = runtime;
  const { reference, providerReference = null, payer = null, reply, ...content } = adapter.readCallback(account, callback);
  const present = await findAttemptByReference(db, account.id, { reference, providerReference });
  const claims = content.verified ? isMoney(content.outcome) : content.claimsPaid;
  const left = present || !claims || reference === null ? undefined : await findLeftAttempt(db, account.id, reference);
  const returned = left && (await noteClaimOfLeft(runtime, left, { messageId, providerReference }));
  const attempt = returned && content.verified ? left : present;
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
  } else if (isMoney(content.outcome)) {
    await recordUnmatched(runtime, { account, outcome: content.outcome, mobile: payer, source: 'callback' });
  } else if (reference !== null) {
    await makeRequestDue(db, account.id, reference, clock());
  }
  reach('callback.applied');
  await markHandled(db, messageId, clock());
  return reply;
}

type MoneyOutcome = Extract<Outcome, { kind: 'paid' | 'reversed' }>;

function isMoney(outcome: Outcome | null): outcome is MoneyOutcome {
  return outcome?.kind === 'paid' || outcome?.kind === 'reversed';
}

/**
 * Notes that an account says that an attempt is paid, although the attempt has left this account because it did not accept the request. Opens
 * a review: if another account sends the attempt, the customer may pay twice. Returns whether the attempt has returned to the account.
 */
async function noteClaimOfLeft(
  runtime: Runtime,
  left: LeftAttempt,
  { messageId, providerReference }: { readonly messageId: string; readonly providerReference: string | null },
): Promise<boolean> {
  await attachMessage(runtime.db, messageId, left.id);
  return runtime.db.sqlTransaction(async (tx) => {
    await reviewLeftClaim(runtime, tx, left, { providerReference, leftAccount: left.leftAccountId });
    return noteLeftClaim(tx, { attemptId: left.id, accountId: left.leftAccountId, now: runtime.clock() });
  });
}
