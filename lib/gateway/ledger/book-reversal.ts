import { STOPPABLE } from '@/lib/gateway/refund-states/rules';
import { endRefund, lockOpenRefund } from '@/lib/gateway/refund-states/store';
import { closeReviews, openReview } from '@/lib/gateway/reviews/store';
import { reach } from '@/lib/platform/config/fail-point';
import { newId } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import type { Environment } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { OutcomeSource } from '@/lib/providers/port/outcome';
import { findReversal, lockBalance } from './balance-store';
import { type Bookings, withBills } from './bookings';
import {
  findPayment,
  insertAllocations,
  insertReturn,
  type LedgerPayment,
  listBillsOf,
  notAfter,
  recordReversalReceipt,
} from './payment-store';
import { splitReversal } from './rules';

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
 * Settles an open refund of the same amount: the reversal that was requested, or a refund that was not sent yet and is needed no more. The
 * caller has locked the bills and writes the bookings.
 */
export async function bookReversalOf(
  runtime: Pick<Runtime, 'clock' | 'random' | 'log'>,
  tx: Queryable,
  bookings: Bookings,
  { payment, now, amount, reversalTransactionId, happenedAt = null, source }: Reversed & { payment: LedgerPayment; now: Date },
): Promise<BookedReversal> {
  const balance = await lockBalance(tx, payment);
  const refund = await lockOpenRefund(tx, payment.id);
  // A refund that was not sent yet, or that is a payout, cannot be the cause of this reversal.
  const waits = STOPPABLE.some((state) => state === refund?.state);
  const cause = refund?.way === 'reversal' && !waits ? refund : null;
  const requested = cause?.amount ?? null;
  const split = splitReversal(balance, { amount, requested, billId: cause?.billId ?? null, reversalTransactionId });
  if ((split.kind === 'known' || split.kind === 'differs') && split.identified) {
    const recorded = await recordReversalReceipt(tx, { ...split.identified, recordedAt: now });
    if (!recorded) return bookReversalOf(runtime, tx, bookings, { payment, now, amount, reversalTransactionId, happenedAt, source });
    if (amount !== null) await closeAssumedReview(tx, split.identified, { source, now });
  }
  if (split.kind !== 'booked') return split.kind;

  const id = newId(runtime);
  const written = await insertReturn(tx, {
    id,
    payment,
    kind: 'reversal',
    source: 'provider',
    transactionId: reversalTransactionId ?? payment.transactionId,
    amount: split.amount,
    recordedAt: now,
    happenedAt: notAfter(happenedAt, now),
  });
  if (!written) return 'exceeds';
  reach('reversal.entered');
  if (refund?.amount === split.amount && (cause !== null || waits))
    await endRefund(tx, refund.id, { state: 'DONE', entryId: id, way: 'reversal', now, by: source });
  reach('reversal.settled');
  if (split.amount > balance.left) await reviewTwice(runtime, tx, { payment, amount: split.amount - balance.left, source, now });
  if (amount === null && requested === null)
    await reviewAssumedReversal(runtime, tx, { reversalId: id, payment, amount: split.amount, source, now });
  for (const { billId, merchantId, amount: taken } of split.taken) {
    // Comes first, because the allocation changes the bill by a trigger: without the lock of the bill, that would be a deadlock.
    const data = { source, payment: payment.id, reversal: id, transactionId: payment.transactionId, amount: taken.toString() };
    bookings.add(billId, { paid: -taken, events: [{ type: 'payment.reversed', data }] });
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
  }
  return 'booked';
}

type Needs = Pick<Runtime, 'clock' | 'random' | 'log'>;

/** Opens a review about a payment of which more has gone back than there was: the provider has reversed it, and it has gone back another way. */
export async function reviewTwice(
  runtime: Needs,
  tx: Queryable,
  { payment, amount, source, now }: { payment: LedgerPayment; amount: Senti; source: OutcomeSource; now: Date },
): Promise<void> {
  const { environment, merchantId, transactionId, id } = payment;
  const data = { outcome: 'refunded_twice', source, payment: id, transactionId, amount: amount.toString() };
  const about = { environment, merchantId, kind: 'contradiction', paymentId: id } as const;
  if ((await openReview(tx, { id: newId(runtime), ...about, data, openedAt: now })) === 'repeated') return;
  runtime.log.error({ paymentId: id, transactionId }, 'a payment went back twice; see: bili review list');
}

interface Assumed {
  readonly reversalId: string;
  readonly payment: LedgerPayment;
  /** The booked amount, senti. */
  readonly amount: Senti;
  readonly source: OutcomeSource;
  readonly now: Date;
}

/** Opens a review about a reversal that nobody requested and that has no amount. The whole rest of the payment was booked as reversed. */
async function reviewAssumedReversal(runtime: Needs, tx: Queryable, { reversalId, payment, amount, source, now }: Assumed): Promise<void> {
  const { environment, merchantId, transactionId, id } = payment;
  const data = { source, payment: id, transactionId, ledgerAmount: amount.toString() };
  const about = { environment, merchantId, kind: 'reversal_assumed', paymentId: reversalId } as const;
  await openReview(tx, { id: newId(runtime), ...about, data, openedAt: now });
  runtime.log.error({ paymentId: id, transactionId }, 'a payment was reversed, but the provider gave no amount; see: bili review list');
}

/**
 * Closes the review that {@link reviewAssumedReversal} opened, when the provider has reported the receipt number and the amount. If the
 * amount differs from the booked one, {@link reviewReversal} opens another review.
 */
export async function closeAssumedReview(
  tx: Queryable,
  { reversalId, receipt }: { reversalId: string; receipt: string },
  { source, now }: { source: OutcomeSource; now: Date },
): Promise<void> {
  const resolution = `the provider reports its receipt, ${receipt}, and its amount, by ${source}`;
  await closeReviews(tx, [{ kind: 'reversal_assumed', paymentId: reversalId, resolvedBy: 'gateway', resolution }], now);
}

interface UnbookedReversal {
  readonly payment: LedgerPayment;
  readonly booked: 'differs' | 'exceeds';
  /** The amount that the provider reports, senti; null if it reports none. */
  readonly amount: Senti | null;
  readonly reversalTransactionId: string | null;
  readonly source: OutcomeSource;
  readonly now: Date;
}

/** Opens a review about a reported reversal that cannot be booked. */
export async function reviewReversal(
  runtime: Needs,
  tx: Queryable,
  { payment, booked, amount, reversalTransactionId, source, now }: UnbookedReversal,
): Promise<void> {
  const { environment, merchantId, transactionId } = payment;
  const reversal = booked === 'differs' && reversalTransactionId ? await findReversal(tx, payment.id, reversalTransactionId) : undefined;
  const data = {
    outcome: 'reversed',
    source,
    payment: payment.id,
    transactionId,
    amount: amount?.toString() ?? null,
    reversalTransactionId,
    ...(reversal && { ledgerAmount: reversal.amount.toString() }),
  };
  const about = { environment, merchantId, kind: 'contradiction', paymentId: reversal?.id ?? payment.id } as const;
  if ((await openReview(tx, { id: newId(runtime), ...about, data, openedAt: now })) === 'repeated') return;
  runtime.log.error({ paymentId: payment.id, transactionId, source }, 'a reported reversal cannot be booked; see: bili review list');
}
