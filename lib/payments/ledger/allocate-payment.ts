import type { Actor } from '@/lib/core/actor';
import type { Senti } from '@/lib/core/money';
import { fail, ok, type Result } from '@/lib/core/result';
import { findOpenRequest } from '@/lib/payments/reversals/requests/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { allocateToBill, findTarget, type TargetRefusal } from './allocate-to-bill';
import { lockBalance } from './balance-store';
import { withBills } from './bookings';

interface AllocatePaymentOptions {
  readonly paymentId: string;
  readonly billId: string;
  /** Senti; null for the whole unmatched amount. */
  readonly amount: Senti | null;
  readonly reason: string;
  readonly actor: Actor;
}

export type AllocationRefusal =
  | TargetRefusal
  | 'marked_for_refund'
  /** A request to reverse the payment is open at the provider. */
  | 'reversal_open'
  /** The amount exceeds the unmatched amount of the payment. */
  | 'more_than_unmatched';

/** Allocates unmatched money to a bill that an operator has chosen. Returns the allocated amount in senti. */
export async function allocatePayment(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { paymentId, billId, amount, reason, actor }: AllocatePaymentOptions,
): Promise<Result<Senti, AllocationRefusal>> {
  const target = await findTarget(runtime.db, { paymentId, billId });
  if (!target.ok) return target;

  return withBills(
    runtime,
    async () => [billId],
    async (tx, bookings, now): Promise<Result<Senti, AllocationRefusal>> => {
      const { unmatched, refundedOutside } = await lockBalance(tx, target.value.payment);
      if (unmatched === 0n && refundedOutside > 0n) return fail('marked_for_refund');
      if (await findOpenRequest(tx, paymentId)) return fail('reversal_open');
      const taken = amount ?? unmatched;
      if (taken <= 0n || taken > unmatched) return fail('more_than_unmatched');
      await allocateToBill(runtime, tx, bookings, { ...target.value, amount: taken, reason, actor, action: 'payment.allocated', now });
      return ok(taken);
    },
  );
}
