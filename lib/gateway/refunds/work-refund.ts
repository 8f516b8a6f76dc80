import type { WorkerRuntime } from '@/lib/gateway/attempts/call-provider';
import { holdLease, LEASE_MS, retryWrite } from '@/lib/gateway/attempts/hold-lease';
import { readBalance } from '@/lib/gateway/ledger/balance-store';
import { bookReversal } from '@/lib/gateway/ledger/book-reversal';
import { findPaidRequest, findPaymentById, type LedgerPayment } from '@/lib/gateway/ledger/payment-store';
import { insertProviderMessage, markHandled, type ProviderMessageRow, type UnhandledMessage } from '@/lib/gateway/messages/message-store';
import type { Pace } from '@/lib/gateway/payments/rules';
import { decideRefund, type Refund } from '@/lib/gateway/refund-states/rules';
import { type ClaimedRefund, extendLease, findRefund, moveRefund } from '@/lib/gateway/refund-states/store';
import type { ReviewKind } from '@/lib/gateway/reviews/rules';
import { openReview } from '@/lib/gateway/reviews/store';
import { reach } from '@/lib/platform/config/fail-point';
import { addMs } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import { isNetwork } from '@/lib/platform/core/network';
import type { Queryable } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findAccountById, openAccount } from '@/lib/providers/accounts/account-store';
import type { ProviderAdapter, RefundCalls, RefundOutcome, Refund as SentRefund } from '@/lib/providers/port/port';
import { bookPayout, failRefund } from './decide-refund';

/**
 * Does the next step of a claimed refund: sends it to the provider or queries its status. If the state before the claim was SENDING, the
 * earlier worker was interrupted while it sent the request. Then the outcome is unknown: the status is queried, and the request is not sent
 * again, so that the money does not go back twice.
 */
export async function workRefund(runtime: WorkerRuntime, refund: ClaimedRefund, signal: AbortSignal): Promise<void> {
  reach('refund.claimed');
  const payment = await findPaymentById(runtime.db, refund.paymentId);
  const stored = payment && (await findAccountById(runtime.db, payment.providerAccountId));
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!payment || !stored || !adapter) throw new Error(`the provider of refund ${refund.id} does not exist in this version`);
  const calls = callsOf(adapter, refund);
  const pace = adapter.capabilities;
  if (refund.previousState === 'SENDING') return applyRefundOutcome(runtime, refund, payment, { kind: 'unknown' }, pace);
  const leaseUntil = () => addMs(runtime.clock(), LEASE_MS);
  if (!(await extendLease(runtime.db, refund, leaseUntil(), refund.state))) return;
  reach('refund.held');
  const isQuery = refund.previousState !== 'QUEUED';
  // The provider may have reversed the payment since the refund was asked for.
  if (!isQuery && refund.amount > (await readBalance(runtime.db, payment)).left) {
    await failRefund(runtime, refund, payment, { reason: 'amount_invalid', by: 'gateway' });
    return;
  }

  const account = openAccount(runtime, stored);
  const sent = await describeRefund(runtime.db, refund, payment);
  const call = calls[isQuery ? 'query' : 'send'];
  const read = calls[isQuery ? 'readStatus' : 'readAnswer'];
  const { db, clock, heartbeatMs, log } = runtime;
  const about = { refundId: refund.id };
  const renew = () => extendLease(db, refund, leaseUntil());
  await holdLease({ renew, heartbeatMs, log, about, signal }, async (held) => {
    const calledAt = clock();
    const answer = await call(account, sent, held);
    reach('refund.called');
    const receivedAt = clock();
    const message: ProviderMessageRow = {
      id: newId(runtime),
      account,
      attemptId: payment.attemptId,
      refundId: refund.id,
      kind: isQuery ? 'refund_status' : 'refund',
      message: answer,
      leaseToken: refund.leaseToken,
      receivedAt,
      tookMs: receivedAt.getTime() - calledAt.getTime(),
    };
    await retryWrite(() => insertProviderMessage(db, message), { log, about, signal: held });
    reach('refund.answer_stored');
    log.info({ ...about, provider: account.provider, asks: isQuery, status: answer.status, error: answer.error }, 'provider answered');
    const outcome = read(answer, sent);
    await retryWrite(() => applyRefundOutcome(runtime, refund, payment, outcome, pace), { log, about, signal: held });
    reach('refund.applied');
    await markHandled(db, message.id, clock());
  });
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>;

function callsOf({ name, reversals, payouts }: ProviderAdapter, { id, way }: Pick<Refund, 'id' | 'way'>): RefundCalls {
  const calls = way === 'reversal' ? reversals : payouts;
  if (!calls || way === 'hand') throw new Error(`the provider ${name} of refund ${id} has no ${way}s in this version`);
  return calls;
}

/** Applies a provider's outcome to a refund. Idempotent. */
async function applyRefundOutcome(
  runtime: Needs,
  refund: ClaimedRefund,
  payment: LedgerPayment,
  outcome: RefundOutcome,
  pace: Pace,
): Promise<void> {
  const decision = decideRefund(refund, outcome, pace, runtime.clock());
  switch (decision.kind) {
    case 'refunded': {
      const booked = await bookOutcome(runtime, refund, payment, decision);
      if (booked === 'booked') return;
      if (booked === 'exceeds' || booked === 'differs') await reviewRefund(runtime, runtime.db, refund, payment, 'contradiction');
      // The provider may have reported an earlier reversal of the same payment, so this refund continues as unknown.
      return applyRefundOutcome(runtime, refund, payment, { kind: 'unknown' }, pace);
    }
    case 'failed':
      await failRefund(runtime, refund, payment, { reason: decision.reason, by: 'gateway' });
      return;
    case 'again':
      await moveRefund(runtime.db, refund, {
        ...decision,
        ...(outcome.kind === 'pending' && { providerReference: outcome.providerReference }),
      });
      reach('refund.rescheduled');
      return;
    case 'unresolved':
      // Both changes are in one transaction, because nobody would notice a refund that is neither due nor in review.
      await runtime.db.transaction(async (tx) => {
        if (!(await moveRefund(tx, refund, { state: 'UNKNOWN', dueAt: null }))) return;
        reach('refund.given_up');
        await reviewRefund(runtime, tx, refund, payment, 'refund_unresolved');
      });
  }
}

/** Enters into the ledger that the money of a refund has gone back through the provider. */
async function bookOutcome(
  runtime: Needs,
  refund: ClaimedRefund,
  payment: LedgerPayment,
  { amount, transactionId: receipt }: { readonly amount: Senti | null; readonly transactionId: string | null },
) {
  const { environment, providerAccountId: id, transactionId } = payment;
  // A payout of another amount than the one that was sent is a question for a person.
  if (refund.way === 'payout')
    return amount !== null && amount !== refund.amount
      ? 'differs'
      : bookPayout(runtime, { refund, payment, transactionId: receipt ?? refund.ourReference, by: 'gateway' });
  const source = refund.previousState === 'QUEUED' ? 'answer' : 'status';
  return bookReversal(runtime, { account: { id, environment }, transactionId, reversalTransactionId: receipt, amount, source });
}

/** Opens a review because the money of a finished payout came back: the ledger says that the customer has it. */
export async function reviewReturned(runtime: Needs, refund: Refund): Promise<void> {
  const payment = await findPaymentById(runtime.db, refund.paymentId);
  if (!payment) throw new Error(`the payment of refund ${refund.id} does not exist`);
  await reviewRefund(runtime, runtime.db, refund, payment, 'contradiction');
}

async function reviewRefund(runtime: Needs, db: Queryable, refund: Refund, payment: LedgerPayment, kind: ReviewKind): Promise<void> {
  const { environment, merchantId } = payment;
  const data = { refund: refund.ourReference, transactionId: payment.transactionId };
  const openedAt = runtime.clock();
  const about = { refundId: refund.id, paymentId: payment.id };
  const opened = await openReview(db, { id: newId(runtime), environment, merchantId, kind, ...about, data, openedAt });
  if (opened !== 'repeated')
    runtime.log.error({ refundId: refund.id, review: kind }, 'a person must look at a refund; see: bili review list');
}

/** Applies a stored answer about a refund, because the worker that received it did not. Uses the fencing token of that worker. */
export async function applyRefundMessage(
  runtime: WorkerRuntime,
  message: UnhandledMessage & { readonly kind: 'refund' | 'refund_status' },
  adapter: ProviderAdapter,
): Promise<void> {
  const { kind, refundId, leaseToken } = message;
  // An older version of Bili stored messages without the id of the refund. A status query follows when the lease of the refund expires.
  if (refundId === null || leaseToken === null) return;
  const refund = await findRefund(runtime.db, refundId);
  const payment = refund && (await findPaymentById(runtime.db, refund.paymentId));
  if (!refund || !payment) throw new Error(`refund ${refundId} does not exist`);
  const isStatus = kind === 'refund_status';
  const claimed = { ...refund, leaseToken, previousState: isStatus ? 'UNKNOWN' : 'QUEUED' } as const;
  const read = callsOf(adapter, refund)[isStatus ? 'readStatus' : 'readAnswer'];
  const outcome = read(message, await describeRefund(runtime.db, refund, payment));
  await applyRefundOutcome(runtime, claimed, payment, outcome, adapter.capabilities);
}

/** Returns the data of a refund that an adapter needs. */
export async function describeRefund(
  db: Queryable,
  refund: Pick<Refund, 'ourReference' | 'providerReference' | 'amount'>,
  payment: LedgerPayment,
): Promise<SentRefund> {
  const request = await findPaidRequest(db, payment);
  return {
    reference: refund.ourReference,
    providerReference: refund.providerReference,
    transactionId: payment.transactionId,
    promptReference: request?.ourReference ?? null,
    mobile: request?.mobile ?? null,
    network: request?.network && isNetwork(request.network) ? request.network : null,
    amount: refund.amount,
  };
}
