import type { Refund, RefundState } from '@/lib/gateway/refund-states/rules';
import { endRefund } from '@/lib/gateway/refund-states/store';
import { reach } from '@/lib/platform/config/fail-point';
import { newId } from '@/lib/platform/core/ids';
import type { Queryable } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { Balance } from './balance-store';
import { reviewTwice } from './book-reversal';
import type { Bookings } from './bookings';
import { insertAllocations, insertReturn, notAfter } from './payment-store';
import { type PaymentSource, takeBack } from './rules';

/** The provider may report a payout that a person has settled as failed. */
const PAID_OUT_FROM: readonly RefundState[] = ['QUEUED', 'SENDING', 'UNKNOWN', 'FAILED'];

interface BookRefundOptions {
  readonly refund: Pick<Refund, 'id' | 'billId' | 'amount'>;
  /** The locked balance of the payment. */
  readonly balance: Balance;
  /** The account from which the money went. */
  readonly providerAccountId: string;
  /** The receipt number of the payout; our reference for a refund by hand. */
  readonly transactionId: string;
  readonly source: PaymentSource;
  /** When the money went back, as the provider or a person says; null if nobody says so. */
  readonly happenedAt: Date | null;
  /** `gateway`, or the person who returned the money. */
  readonly by: string;
  readonly now: Date;
}

/**
 * Enters into the ledger that a payout or a person has given money back, and settles the refund. The caller has locked the bills and the
 * payment, and writes the bookings. Returns `exceeds`, and changes nothing, if a person gives back more than is left of the payment; `known`
 * if the ledger has it. A payout has happened, so it is booked anyway, with a review.
 */
export async function bookRefund(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  tx: Queryable,
  bookings: Bookings,
  { refund, balance, happenedAt, by, now, ...entry }: BookRefundOptions,
): Promise<'booked' | 'known' | 'exceeds'> {
  const { payment, left } = balance;
  const { amount, billId } = refund;
  if (amount > left && entry.source !== 'provider') return 'exceeds';
  const id = newId(runtime);
  const { environment } = payment;
  const written = await insertReturn(tx, {
    ...entry,
    id,
    payment,
    kind: 'refund',
    amount,
    recordedAt: now,
    happenedAt: notAfter(happenedAt, now),
  });
  if (!written) return 'known';
  reach('refund.entered');
  const hand = entry.source === 'provider' ? null : entry.source;
  const end = { state: 'DONE', entryId: id, source: hand, now, by, decidedBy: by === 'gateway' ? null : by } as const;
  await endRefund(tx, refund.id, hand === null ? { ...end, from: PAID_OUT_FROM } : end);
  reach('refund.settled');
  if (amount > left) await reviewTwice(runtime, tx, { payment, amount: amount - left, source: 'answer', now });
  for (const share of takeBack(balance, amount, billId)) {
    // Comes first, because the allocation changes the bill by a trigger: without the lock of the bill, that would be a deadlock.
    const data = { by, payment: payment.id, refund: id, transactionId: payment.transactionId, amount: share.amount.toString() };
    bookings.add(share.billId, { paid: -share.amount, events: [{ type: 'payment.refunded', data: { ...data, source: entry.source } }] });
    const bill = { id: share.billId, merchantId: share.merchantId, environment };
    await insertAllocations(tx, [{ id: newId(runtime), paymentId: id, bill, amount: -share.amount, createdBy: by, createdAt: now }]);
    reach('refund.allocated');
  }
  return 'booked';
}
