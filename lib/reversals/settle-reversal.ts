import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { findPaymentById } from '@/lib/payments/balance-store';
import { bookReversal } from '@/lib/payments/book-reversal';
import { endRequest } from './end-request';
import { failReversal } from './fail-reversal';
import { findRequest } from './store';

interface SettleReversalOptions {
  readonly id: string;
  /** The provider's receipt of the reversal, or that it never happened. */
  readonly outcome: { readonly kind: 'reversed'; readonly transactionId: string } | { readonly kind: 'failed' };
  readonly reason: string;
  readonly actor: string;
}

export type SettleReversalRefusal = 'not_found' | 'already_settled' | 'more_than_left';

/** Settles a requested reversal by an operator's word, as the provider told it to a person. */
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
  await recordEntry(runtime, { merchantId, environment, actor, action: 'reversal.settled', subject: id, address: null, data });
  if (outcome.kind === 'failed')
    return (await failReversal(runtime, request, payment, { reason: 'rejected', by: actor })) ? ok(null) : fail('already_settled');
  const booked = await bookReversal(runtime, {
    account: { id: payment.providerAccountId, environment },
    transactionId: payment.transactionId,
    reversalTransactionId: outcome.transactionId,
    amount: request.amount,
    source: 'operator',
  });
  if (booked === 'exceeds') return fail('more_than_left');
  // The ledger had it, under another amount or from another source: the request is over all the same.
  const end = { state: 'SUCCEEDED', failureReason: null, now: runtime.clock(), by: actor } as const;
  if (booked === 'known' || booked === 'differs') await runtime.db.transaction((tx) => endRequest(tx, id, end));
  return ok(null);
}
