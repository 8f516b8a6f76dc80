import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { bookReversal } from '@/lib/payments/ledger/book-reversal';
import { findPaymentById } from '@/lib/payments/ledger/payment-store';
import { reviewReversal } from '@/lib/payments/ledger/review-reversal';
import { endRequest, findRequest } from '@/lib/payments/reversals/requests/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { failReversal } from './fail-reversal';

interface SettleReversalOptions {
  readonly id: string;
  /** `reversed` with the provider's receipt number of the reversal; `failed` if the reversal never happened. */
  readonly outcome: { readonly kind: 'reversed'; readonly transactionId: string } | { readonly kind: 'failed' };
  readonly reason: string;
  readonly actor: Actor;
}

export type SettleReversalRefusal = 'not_found' | 'already_settled' | 'more_than_left';

/** Settles a requested reversal with an outcome that an operator has learned from the provider. */
export async function settleReversal(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  { id, outcome, reason, actor }: SettleReversalOptions,
): Promise<Result<null, SettleReversalRefusal>> {
  const request = isUuid(id) ? await findRequest(runtime.db, id) : undefined;
  const payment = request && (await findPaymentById(runtime.db, request.paymentId));
  if (!request || !payment) return fail('not_found');
  if (request.state === 'SUCCEEDED' || request.state === 'FAILED') return fail('already_settled');
  const { merchantId, environment } = payment;
  const data = { outcome: outcome.kind, reason };
  const audit = { merchantId, environment, actor, action: 'reversal.settled', subject: id, data };
  if (outcome.kind === 'failed')
    return (await failReversal(runtime, request, payment, { reason: 'rejected', by: actor.name, audit }))
      ? ok(null)
      : fail('already_settled');
  const booked = await bookReversal(runtime, {
    account: { id: payment.providerAccountId, environment },
    transactionId: payment.transactionId,
    reversalTransactionId: outcome.transactionId,
    amount: request.amount,
    source: 'operator',
    async afterBooking(tx, entered, now) {
      if (entered === 'exceeds') return;
      await recordEntry(runtime, audit, tx);
      const reported = { amount: request.amount, reversalTransactionId: outcome.transactionId, source: 'operator' } as const;
      if (entered === 'differs') await reviewReversal(runtime, tx, { payment, booked: entered, ...reported, now });
      // The ledger already had the reversal, from another source or with another amount. The request is settled anyway.
      if (entered !== 'booked') await endRequest(tx, id, { state: 'SUCCEEDED', failureReason: null, now, by: actor.name });
    },
  });
  return booked === 'exceeds' ? fail('more_than_left') : ok(null);
}
