import { applyOutcome, traceAttempt } from '@/lib/gateway/attempts/apply-outcome';
import { applyHint, noteLeftClaim, reviewLeftClaim } from '@/lib/gateway/attempts/unsigned-callback';
import { bookInstrumentPayment } from '@/lib/gateway/instruments/book-payment';
import { findNamedInstrument, makeInstrumentDue } from '@/lib/gateway/instruments/store';
import { recordUnmatched } from '@/lib/gateway/ledger/record-unmatched';
import { attachMessage, attachToInstrument, insertProviderMessage, markHandled } from '@/lib/gateway/messages/message-store';
import { findAttemptByReference, findLeftAttempt, type LeftAttempt } from '@/lib/gateway/payments/store';
import { makeRefundDue } from '@/lib/gateway/refund-states/store';
import { reviewReturned } from '@/lib/gateway/refunds/work-refund';
import { reach } from '@/lib/platform/config/fail-point';
import { newId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { CallbackRefusal } from '@/lib/platform/metrics/recorder';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findAccountByToken } from '@/lib/providers/accounts/account-store';
import type { Outcome } from '@/lib/providers/port/outcome';
import {
  NEUTRAL_PROVIDER,
  type ProviderAccount,
  type ProviderAdapter,
  type RawCallback,
  type ReadCallback,
} from '@/lib/providers/port/port';
import type { ProviderRegistry } from '@/lib/providers/registry';

/**
 * Stores a provider's callback, then interprets and applies it. If that fails or this process dies, a worker applies it.
 * Returns the reply that the provider expects, or why the address is not that of an account.
 */
export async function receiveCallback(
  runtime: Runtime & { readonly providers: ProviderRegistry },
  { provider, token, callback }: { provider: string; token: string; callback: RawCallback },
): Promise<Result<ReadCallback['reply'], CallbackRefusal>> {
  const account = await findAccountByToken(runtime, token);
  if (!account) return fail('unknown_token');
  if (provider !== NEUTRAL_PROVIDER && provider !== account.provider) return fail('other_provider');
  const adapter = runtime.providers.find(account.provider);
  if (!adapter) return fail('unsupported_provider');

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
  const { reference, providerReference = null, payer = null, payoutReturned, reply, ...content } = adapter.readCallback(account, callback);
  const present = await findAttemptByReference(db, account.id, { reference, providerReference });
  const claims = content.verified ? isMoney(content.outcome) : content.claimsPaid;
  const left = present || !claims || reference === null ? undefined : await findLeftAttempt(db, account.id, reference);
  const returned = left && (await noteClaimOfLeft(runtime, left, { messageId, providerReference }));
  const attempt = returned && content.verified ? left : present;
  const instrument = attempt ? undefined : await findNamedInstrument(db, account.id, { reference, providerReference });
  runtime.log.info(
    {
      messageId,
      provider: account.provider,
      ...(attempt ? traceAttempt(attempt) : { ourReference: reference, instrumentId: instrument?.id }),
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
  } else if (instrument) {
    const { id, providerAccountId } = instrument;
    await attachToInstrument(db, messageId, id);
    if (isMoney(content.outcome))
      await bookInstrumentPayment(runtime, { instrument, providerAccountId, outcome: content.outcome, payer, source: 'callback' });
    else await makeInstrumentDue(db, id, clock());
  } else if (isMoney(content.outcome)) {
    await recordUnmatched(runtime, { account, outcome: content.outcome, mobile: payer, source: 'callback' });
  } else if (reference !== null) {
    const theirs = content.verified ? (providerReference ?? null) : null;
    const about = { accountId: account.id, ourReference: reference, providerReference: theirs };
    const refund = await makeRefundDue(db, { ...about, now: clock() });
    if (refund?.state === 'DONE' && content.verified && payoutReturned) await reviewReturned(runtime, refund);
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
