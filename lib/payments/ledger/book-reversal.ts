import { reach } from '@/lib/config/fail-point';
import { newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { endRequest } from '@/lib/payments/reversals/requests/end-request';
import { findOpenRequest } from '@/lib/payments/reversals/requests/store';
import type { OutcomeSource } from '@/lib/providers/port/outcome';
import type { Runtime } from '@/lib/runtime/runtime';
import { lockBalance } from './balance-store';
import { type Bookings, withBills } from './bookings';
import { insertAllocation } from './ledger-store';
import { findPayment, type LedgerPayment, listBillsOf } from './payment-store';
import { splitReversal } from './reversal-rules';
import { insertReversal, recordReversalReceipt } from './reversal-store';
import { closeAssumedReview, reviewAssumedReversal } from './review-reversal';

interface Reversed {
  /** Senti; null when the provider says that it went back and not how much. */
  readonly amount: Senti | null;
  /** The provider's receipt of the reversal; null when it names none. */
  readonly reversalTransactionId: string | null;
  readonly source: OutcomeSource;
}

/**
 * What a person has to look at: `differs`, the provider names another amount for a reversal that was booked before it named any;
 * `exceeds`, more would have gone back than came. Nothing is booked.
 */
type BookedReversal = 'booked' | 'known' | 'differs' | 'exceeds';

interface BookReversalOptions extends Reversed {
  readonly account: { readonly id: string; readonly environment: Environment };
  /** The payment's. */
  readonly transactionId: string;
  /** Runs in the same transaction. */
  readonly also?: (tx: Queryable, booked: BookedReversal, now: Date) => Promise<void>;
}

/** Books that a provider sent a payment back: the one way in for reversals of known payments. */
export async function bookReversal(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  { account, transactionId, also, ...reversed }: BookReversalOptions,
): Promise<BookedReversal | 'no_payment'> {
  const payment = await findPayment(runtime.db, account.id, transactionId);
  if (!payment) return 'no_payment';
  return withBills(
    runtime,
    () => listBillsOf(runtime.db, payment.id),
    async (tx, bookings, now) => {
      const booked = await bookReversalOf(runtime, tx, bookings, { ...reversed, payment, now });
      await also?.(tx, booked, now);
      return booked;
    },
  );
}

/**
 * Writes a reversal and takes it off what the payment paid: off what is unmatched first, then off the bill that had its
 * money last. The caller has locked the bills and writes the bookings. An open request for this reversal is settled by it.
 */
export async function bookReversalOf(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  tx: Queryable,
  bookings: Bookings,
  { payment, now, amount, reversalTransactionId, source }: Reversed & { payment: LedgerPayment; now: Date },
): Promise<BookedReversal> {
  const balance = await lockBalance(tx, payment);
  const request = await findOpenRequest(tx, payment.id);
  // What the provider was not asked for yet is not what it did.
  const asked = request && request.state !== 'QUEUED' ? request.amount : null;
  const split = splitReversal(balance, { amount, asked, reversalTransactionId });
  if ((split.kind === 'known' || split.kind === 'differs') && split.named) {
    const named = await recordReversalReceipt(tx, { ...split.named, recordedAt: now });
    if (!named) return bookReversalOf(runtime, tx, bookings, { payment, now, amount, reversalTransactionId, source });
    if (amount !== null) await closeAssumedReview(tx, split.named, { source, now });
  }
  if (split.kind !== 'booked') return split.kind;

  const id = newId(runtime);
  const written = await insertReversal(tx, {
    id,
    payment,
    transactionId: reversalTransactionId ?? payment.transactionId,
    amount: split.amount,
    recordedAt: now,
  });
  if (!written) return 'exceeds';
  reach('reversal.entered');
  if (request?.amount === split.amount) await endRequest(tx, request.id, { state: 'SUCCEEDED', failureReason: null, now, by: source });
  reach('reversal.settled');
  if (amount === null && asked === null)
    await reviewAssumedReversal(runtime, tx, { reversalId: id, payment, amount: split.amount, source, now });
  for (const { billId, merchantId, amount: taken } of split.taken) {
    await insertAllocation(tx, {
      id: newId(runtime),
      paymentId: id,
      bill: { id: billId, merchantId, environment: payment.environment },
      amount: -taken,
      createdBy: 'gateway',
      createdAt: now,
    });
    reach('reversal.allocated');
    const data = { source, payment: payment.id, reversal: id, transactionId: payment.transactionId, amount: taken.toString() };
    bookings.add(billId, { paid: -taken, events: [{ type: 'payment.reversed', data }] });
  }
  return 'booked';
}
