import { reach } from '@/lib/config/fail-point';
import { newId } from '@/lib/core/ids';
import type { Queryable } from '@/lib/db/database';
import { bookReversal } from '@/lib/payments/ledger/book-reversal';
import type { LedgerPayment } from '@/lib/payments/ledger/payment-store';
import type { ClaimedRequest } from '@/lib/payments/reversals/requests/lease-store';
import { decideReversal } from '@/lib/payments/reversals/requests/rules';
import { moveRequest } from '@/lib/payments/reversals/requests/store';
import type { Pace } from '@/lib/payments/rules';
import type { ReversalOutcome } from '@/lib/providers/port/port';
import { openReview } from '@/lib/reviews/open-review';
import type { ReviewKind } from '@/lib/reviews/rules';
import type { Runtime } from '@/lib/runtime/runtime';
import { failReversal } from './fail-reversal';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>;

/** Applies a provider's outcome to a reversal request. Idempotent. */
export async function applyReversalOutcome(
  runtime: Needs,
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
      if (booked === 'exceeds' || booked === 'differs') await reviewRequest(runtime, runtime.db, request, payment, 'contradiction');
      // The provider may have reported an earlier reversal of the same payment, so this request continues as unknown.
      return applyReversalOutcome(runtime, request, payment, { kind: 'unknown' }, pace);
    }
    case 'failed':
      await failReversal(runtime, request, payment, { reason: decision.reason, by: 'gateway' });
      return;
    case 'again':
      await moveRequest(runtime.db, request, decision);
      reach('reversal.rescheduled');
      return;
    case 'unresolved':
      // Both changes are in one transaction, because nobody would notice a request that is neither due nor in review.
      await runtime.db.transaction(async (tx) => {
        if (!(await moveRequest(tx, request, { state: 'UNKNOWN', dueAt: null }))) return;
        reach('reversal.given_up');
        await reviewRequest(runtime, tx, request, payment, 'reversal_unresolved');
      });
  }
}

async function reviewRequest(
  runtime: Needs,
  db: Queryable,
  request: ClaimedRequest,
  payment: LedgerPayment,
  kind: ReviewKind,
): Promise<void> {
  const { environment, merchantId } = payment;
  const data = { reversal: request.ourReference, transactionId: payment.transactionId };
  const openedAt = runtime.clock();
  const about = { reversalRequestId: request.id, paymentId: payment.id };
  const opened = await openReview(db, { id: newId(runtime), environment, merchantId, kind, ...about, data, openedAt });
  if (opened !== 'repeated')
    runtime.log.error({ reversalId: request.id, review: kind }, 'a person must look at a reversal; see: bili review list');
}
