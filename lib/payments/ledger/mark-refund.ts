import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import { isUuid, newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { findOpenRequest } from '@/lib/payments/reversals/requests/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { lockBalance } from './balance-store';
import { insertRefundMark } from './ledger-store';
import { findPaymentById } from './payment-store';

export type MarkRefusal = 'payment_not_found' | 'nothing_unmatched' | 'already_marked' | 'more_than_unmatched' | 'reversal_open';

/**
 * Records that an unmatched part of a payment is refunded outside Bili. That part leaves the list of unmatched money and cannot be
 * allocated any more. If the provider reports a reversal of the payment, the reversal is still booked.
 * @param amount senti; null for the whole unmatched part.
 * @returns the marked amount in senti.
 */
export async function markRefund(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { paymentId, amount, reason, actor }: { paymentId: string; amount: Senti | null; reason: string; actor: Actor },
): Promise<Result<Senti, MarkRefusal>> {
  const payment = isUuid(paymentId) ? await findPaymentById(runtime.db, paymentId) : undefined;
  if (!payment) return fail('payment_not_found');
  return runtime.db.transaction(async (tx): Promise<Result<Senti, MarkRefusal>> => {
    const { unmatched, refundedOutside } = await lockBalance(tx, payment);
    if (unmatched === 0n) return fail(refundedOutside > 0n ? 'already_marked' : 'nothing_unmatched');
    if (await findOpenRequest(tx, paymentId)) return fail('reversal_open');
    const marked = amount ?? unmatched;
    if (marked <= 0n || marked > unmatched) return fail('more_than_unmatched');
    const mark = { id: newId(runtime), paymentId, amount: marked, reason, createdBy: actor.name, createdAt: runtime.clock() };
    await insertRefundMark(tx, mark);
    const { merchantId, environment } = payment;
    const about = { merchantId, environment, actor, action: 'payment.marked_for_refund', subject: paymentId };
    await recordEntry(runtime, { ...about, data: { amount: marked.toString(), reason } }, tx);
    return ok(marked);
  });
}
