import { reach } from '@/lib/config/fail-point';
import { addMs } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import type { WorkerRuntime } from '@/lib/payments/attempts/call-provider';
import { holdLease, LEASE_MS } from '@/lib/payments/attempts/hold-lease';
import { retryWrite } from '@/lib/payments/attempts/retry-write';
import { findPaymentById } from '@/lib/payments/ledger/payment-store';
import { insertProviderMessage, type ProviderMessageRow } from '@/lib/payments/messages/message-store';
import { markHandled } from '@/lib/payments/messages/unhandled-store';
import { type ClaimedRequest, holdRequest, renewRequest } from '@/lib/payments/reversals/requests/lease-store';
import { findAccountById } from '@/lib/providers/accounts/account-store';
import { openAccount } from '@/lib/providers/accounts/accounts';
import { applyReversalOutcome } from './apply-reversal-outcome';
import { describeReversal } from './describe-reversal';

/**
 * Does the next step of a claimed request: sends it to the provider or queries its status. If the state before the claim was SENDING, the
 * earlier worker was interrupted while it sent the request. Then the outcome is unknown: the status is queried, and the request is not sent
 * again, so that the money is not reversed twice.
 */
export async function workReversal(runtime: WorkerRuntime, request: ClaimedRequest, signal: AbortSignal): Promise<void> {
  reach('reversal.claimed');
  const payment = await findPaymentById(runtime.db, request.paymentId);
  const stored = payment && (await findAccountById(runtime.db, payment.providerAccountId));
  const adapter = stored && runtime.providers.find(stored.provider);
  if (!payment || !stored || !adapter?.reversals)
    throw new Error(`the provider of reversal ${request.id} does not support reversals in this version`);
  const pace = adapter.capabilities;
  if (request.previousState === 'SENDING') return applyReversalOutcome(runtime, request, payment, { kind: 'unknown' }, pace);
  const leaseUntil = () => addMs(runtime.clock(), LEASE_MS);
  if (!(await holdRequest(runtime.db, request, leaseUntil()))) return;
  reach('reversal.held');

  const account = openAccount(runtime, stored);
  const reversal = await describeReversal(runtime.db, request, payment);
  const isQuery = request.previousState !== 'QUEUED';
  const call = adapter.reversals[isQuery ? 'query' : 'send'];
  const read = adapter.reversals[isQuery ? 'readStatus' : 'readAnswer'];
  const { db, clock, heartbeatMs, log } = runtime;
  const about = { reversalId: request.id };
  const renew = () => renewRequest(db, request, leaseUntil());
  await holdLease({ renew, heartbeatMs, log, about, signal }, async (held) => {
    const calledAt = clock();
    const answer = await call(account, reversal, held);
    reach('reversal.called');
    const receivedAt = clock();
    const message: ProviderMessageRow = {
      id: newId(runtime),
      account,
      attemptId: payment.attemptId,
      reversalRequestId: request.id,
      kind: isQuery ? 'reversal_status' : 'reversal',
      message: answer,
      leaseToken: request.leaseToken,
      receivedAt,
      tookMs: receivedAt.getTime() - calledAt.getTime(),
    };
    await retryWrite(() => insertProviderMessage(db, message), { log, about, signal: held });
    reach('reversal.answer_stored');
    log.info({ ...about, provider: account.provider, asks: isQuery, status: answer.status, error: answer.error }, 'provider answered');
    const outcome = read(answer, reversal);
    await retryWrite(() => applyReversalOutcome(runtime, request, payment, outcome, pace), { log, about, signal: held });
    reach('reversal.applied');
    await markHandled(db, message.id, clock());
  });
}
