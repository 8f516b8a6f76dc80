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

/** Does what a provider's word about a request means for it. Done again, it changes nothing. */
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
      if (booked === 'exceeds' || booked === 'differs') await askPerson(runtime, runtime.db, request, payment, 'contradiction');
      // It may be an earlier reversal of the same payment that the provider speaks of.
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
      // One transaction: a request that nothing is due for and no person is asked about would be forgotten.
      await runtime.db.transaction(async (tx) => {
        if (!(await moveRequest(tx, request, { state: 'UNKNOWN', dueAt: null }))) return;
        reach('reversal.given_up');
        await askPerson(runtime, tx, request, payment, 'reversal_unresolved');
      });
  }
}

async function askPerson(runtime: Needs, on: Queryable, request: ClaimedRequest, payment: LedgerPayment, kind: ReviewKind): Promise<void> {
  const { environment, merchantId } = payment;
  const data = { reversal: request.ourReference, transactionId: payment.transactionId };
  const openedAt = runtime.clock();
  const about = { reversalRequestId: request.id, paymentId: payment.id };
  const opened = await openReview(on, { id: newId(runtime), environment, merchantId, kind, ...about, data, openedAt });
  if (opened !== 'repeated') runtime.log.error({ reversalId: request.id, review: kind }, 'a reversal needs a person: bili review list');
}
