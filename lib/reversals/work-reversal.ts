import { reach } from '@/lib/config/fail-point';
import { addMs } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import type { Queryable } from '@/lib/db/database';
import { findAccountById } from '@/lib/payments/account-store';
import { openAccount } from '@/lib/payments/accounts';
import { findPaymentById, type LedgerPayment } from '@/lib/payments/balance-store';
import { bookReversal } from '@/lib/payments/book-reversal';
import { holdLease, LEASE_MS } from '@/lib/payments/hold-lease';
import { insertProviderMessage } from '@/lib/payments/message-store';
import type { Pace } from '@/lib/payments/rules';
import { findAttempt } from '@/lib/payments/store';
import type { WorkerRuntime } from '@/lib/payments/work-attempt';
import type { Reversal, ReversalOutcome } from '@/lib/providers/port';
import { openReview } from '@/lib/reviews/open-review';
import type { ReviewKind } from '@/lib/reviews/rules';
import { failReversal } from './fail-reversal';
import { decideReversal } from './rules';
import { type ClaimedRequest, holdRequest, moveRequest, renewRequest } from './store';

/**
 * Does what a claimed request is due for: asks the provider to send the money back, or what became of that. One found in
 * SENDING was interrupted there, and is asked about: money must not go back twice.
 */
export async function workReversal(runtime: WorkerRuntime, request: ClaimedRequest, signal: AbortSignal): Promise<void> {
  reach('reversal.claimed');
  const payment = await findPaymentById(runtime.db, request.paymentId);
  const stored = payment && (await findAccountById(runtime.db, payment.providerAccountId));
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!payment || !stored || !adapter?.reversals) throw new Error(`reversal ${request.id} has no provider that can do it`);
  const pace = adapter.capabilities;
  if (request.previousState === 'SENDING') return conclude(runtime, request, payment, { kind: 'unknown' }, pace);
  const leaseUntil = () => addMs(runtime.clock(), LEASE_MS);
  if (!(await holdRequest(runtime.db, request, leaseUntil()))) return;
  reach('reversal.held');

  const account = openAccount(runtime, stored);
  const attempt = payment.attemptId === null ? undefined : await findAttempt(runtime.db, payment.attemptId);
  const reversal: Reversal = {
    reference: request.ourReference,
    transactionId: payment.transactionId,
    pushReference: attempt?.ourReference ?? null,
    amount: request.whole ? null : request.amount,
  };
  const asks = request.previousState !== 'QUEUED';
  const call = adapter.reversals[asks ? 'query' : 'send'];
  const { heartbeatMs, log } = runtime;
  const renew = () => renewRequest(runtime.db, request, leaseUntil());
  const answer = await holdLease({ renew, heartbeatMs, log, about: { reversalId: request.id }, signal }, (held) =>
    call(account, reversal, held),
  );
  reach('reversal.called');
  await insertProviderMessage(runtime.db, {
    id: newId(runtime),
    account,
    attemptId: payment.attemptId,
    kind: 'reversal',
    message: answer,
    receivedAt: runtime.clock(),
  });
  reach('reversal.answer_stored');
  runtime.log.info(
    { reversalId: request.id, provider: account.provider, asks, status: answer.status, error: answer.error },
    'provider answered',
  );
  await conclude(runtime, request, payment, adapter.reversals[asks ? 'readStatus' : 'readAnswer'](answer), pace);
}

async function conclude(
  runtime: WorkerRuntime,
  request: ClaimedRequest,
  payment: LedgerPayment,
  outcome: ReversalOutcome,
  pace: Pace,
): Promise<void> {
  const decision = decideReversal(request, outcome, pace, runtime.clock());
  switch (decision.kind) {
    case 'reversed': {
      const { environment, providerAccountId: id, transactionId } = payment;
      const source = request.previousState === 'QUEUED' ? 'answer' : 'status';
      const { amount, transactionId: reversalTransactionId } = decision;
      const booked = await bookReversal(runtime, { account: { id, environment }, transactionId, reversalTransactionId, amount, source });
      if (booked === 'booked') return;
      if (booked === 'exceeds' || booked === 'differs') await askPerson(runtime, runtime.db, request, payment, 'contradiction');
      // It may be an earlier reversal of the same payment that the provider speaks of.
      return conclude(runtime, request, payment, { kind: 'unknown' }, pace);
    }
    case 'failed':
      await failReversal(runtime, request, payment, { reason: decision.reason, by: 'gateway' });
      return;
    case 'again':
      await moveRequest(runtime.db, request, decision);
      reach('reversal.rescheduled');
      return;
    case 'unresolved':
      // One transaction: a request that nothing is due for and no person is asked about would be forgotten.
      await runtime.db.transaction(async (tx) => {
        if (!(await moveRequest(tx, request, { state: 'UNKNOWN', dueAt: null }))) return;
        reach('reversal.given_up');
        await askPerson(runtime, tx, request, payment, 'reversal_unresolved');
      });
  }
}

async function askPerson(
  runtime: WorkerRuntime,
  on: Queryable,
  request: ClaimedRequest,
  payment: LedgerPayment,
  kind: ReviewKind,
): Promise<void> {
  const { environment, merchantId } = payment;
  const data = { reversal: request.ourReference, transactionId: payment.transactionId };
  const openedAt = runtime.clock();
  const about = { reversalRequestId: request.id, paymentId: payment.id };
  const opened = await openReview(on, { id: newId(runtime), environment, merchantId, kind, ...about, data, openedAt });
  if (opened !== 'repeated') runtime.log.error({ reversalId: request.id, review: kind }, 'a reversal needs a person: bili review list');
}
