import { reach } from '@/lib/config/fail-point';
import { newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { endRequest, findOpenRequest } from '@/lib/payments/reversals/requests/store';
import type { OutcomeSource } from '@/lib/providers/port/outcome';
import type { Runtime } from '@/lib/runtime/runtime';
import { lockBalance } from './balance-store';
import { type Bookings, withBills } from './bookings';
import { insertAllocations, notAfter } from './ledger-store';
import { findPayment, type LedgerPayment, listBillsOf } from './payment-store';
import { splitReversal } from './reversal-rules';
import { insertReversal, recordReversalReceipt } from './reversal-store';
import { closeAssumedReview, reviewAssumedReversal } from './review-reversal';

interface Reversed {
  /** Senti; null if the provider does not give the reversed amount. */
  readonly amount: Senti | null;
  /** The provider's receipt number of the reversal; null if it gives none. */
  readonly reversalTransactionId: string | null;
  /** When the money was reversed, as the provider says; null or absent if it does not say so. */
  readonly happenedAt?: Date | null;
  readonly source: OutcomeSource;
}

/**
 * `differs` and `exceeds` need a review, and nothing is booked. `differs`: the reversal was booked without an amount from the
 * provider, and the amount that the provider gives now is another one. `exceeds`: the reversals would exceed the payment.
 */
type BookedReversal = 'booked' | 'known' | 'differs' | 'exceeds';

interface BookReversalOptions extends Reversed {
  readonly account: { readonly id: string; readonly environment: Environment };
  /** The receipt number of the reversed payment. */
  readonly transactionId: string;
  /** Runs in the same transaction after the booking. */
  readonly afterBooking?: (tx: Queryable, booked: BookedReversal, now: Date) => Promise<void>;
}

/** Books a reversal that the provider reports. All reversals of known payments are booked here or by `bookReversalOf`. */
export async function bookReversal(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  { account, transactionId, afterBooking, ...reversed }: BookReversalOptions,
): Promise<BookedReversal | 'no_payment'> {
  const payment = await findPayment(runtime.db, account.id, transactionId);
  if (!payment) return 'no_payment';
  return withBills(
    runtime,
    () => listBillsOf(runtime.db, payment.id),
    async (tx, bookings, now) => {
      const booked = await bookReversalOf(runtime, tx, bookings, { ...reversed, payment, now });
      await afterBooking?.(tx, booked, now);
      return booked;
    },
  );
}

/**
 * Inserts a reversal. Subtracts its amount first from the unmatched part of the payment, then from its bills, the last allocation first.
 * Settles an open reversal request of the same amount. The caller has locked the bills and writes the bookings.
 */
export async function bookReversalOf(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  tx: Queryable,
  bookings: Bookings,
  { payment, now, amount, reversalTransactionId, happenedAt = null, source }: Reversed & { payment: LedgerPayment; now: Date },
): Promise<BookedReversal> {
  const balance = await lockBalance(tx, payment);
  const request = await findOpenRequest(tx, payment.id);
  // A request that was not sent yet cannot be the cause of this reversal.
  const requested = request && request.state !== 'QUEUED' ? request.amount : null;
  const split = splitReversal(balance, { amount, requested, reversalTransactionId });
  if ((split.kind === 'known' || split.kind === 'differs') && split.identified) {
    const recorded = await recordReversalReceipt(tx, { ...split.identified, recordedAt: now });
    if (!recorded) return bookReversalOf(runtime, tx, bookings, { payment, now, amount, reversalTransactionId, happenedAt, source });
    if (amount !== null) await closeAssumedReview(tx, split.identified, { source, now });
  }
  if (split.kind !== 'booked') return split.kind;

  const id = newId(runtime);
  const written = await insertReversal(tx, {
    id,
    payment,
    transactionId: reversalTransactionId ?? payment.transactionId,
    amount: split.amount,
    recordedAt: now,
    happenedAt: notAfter(happenedAt, now),
  });
  if (!written) return 'exceeds';
  reach('reversal.entered');
  if (request?.amount === split.amount) await endRequest(tx, request.id, { state: 'SUCCEEDED', failureReason: null, now, by: source });
  reach('reversal.settled');
  if (amount === null && requested === null)
    await reviewAssumedReversal(runtime, tx, { reversalId: id, payment, amount: split.amount, source, now });
  for (const { billId, merchantId, amount: taken } of split.taken) {
    await insertAllocations(tx, [
      {
        id: newId(runtime),
        paymentId: id,
        bill: { id: billId, merchantId, environment: payment.environment },
        amount: -taken,
        createdBy: 'gateway',
        createdAt: now,
      },
    ]);
    reach('reversal.allocated');
    const data = { source, payment: payment.id, reversal: id, transactionId: payment.transactionId, amount: taken.toString() };
    bookings.add(billId, { paid: -taken, events: [{ type: 'payment.reversed', data }] });
  }
  return 'booked';
}
