import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import { isUuid } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { findOpenRequest } from '@/lib/payments/reversals/requests/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { lockBalance } from './balance-store';
import { insertRefundMark } from './ledger-store';
import { findPaymentById } from './payment-store';

export type MarkRefusal = 'payment_not_found' | 'nothing_unmatched' | 'already_marked' | 'reversal_open';

/**
 * Records that the unmatched part of a payment is refunded outside Bili. That part leaves the list of unmatched money and cannot be
 * allocated any more. The ledger does not change. If the provider reports a reversal of the payment, the reversal is still booked.
 * Returns the unmatched amount in senti.
 */
export async function markRefund(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { paymentId, reason, actor }: { paymentId: string; reason: string; actor: Actor },
): Promise<Result<Senti, MarkRefusal>> {
  const payment = isUuid(paymentId) ? await findPaymentById(runtime.db, paymentId) : undefined;
  if (!payment) return fail('payment_not_found');
  return runtime.db.transaction(async (tx): Promise<Result<Senti, MarkRefusal>> => {
    const { unmatched } = await lockBalance(tx, payment);
    if (unmatched === 0n) return fail('nothing_unmatched');
    if (await findOpenRequest(tx, paymentId)) return fail('reversal_open');
    const written = await insertRefundMark(tx, { paymentId, reason, createdBy: actor.name, createdAt: runtime.clock() });
    if (!written) return fail('already_marked');
    const { merchantId, environment } = payment;
    const about = { merchantId, environment, actor, action: 'payment.marked_for_refund', subject: paymentId };
    await recordEntry(runtime, { ...about, data: { amount: unmatched.toString(), reason } }, tx);
    return ok(unmatched);
  });
}
