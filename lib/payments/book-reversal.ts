import { reach } from '@/lib/config/fail-point';
import type { Environment, Runtime } from '@/lib/config/runtime';
import { newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import type { Queryable } from '@/lib/db/database';
import { endRequest } from '@/lib/reversals/end-request';
import { findOpenRequest } from '@/lib/reversals/store';
import { findPayment, type LedgerPayment, listBillsOf, lockBalance } from './balance-store';
import { type Bookings, withBills } from './bookings';
import { insertAllocation, insertReversal, nameReversal } from './ledger-store';
import type { OutcomeSource } from './outcome';
import { splitReversal } from './reversal-rules';

interface Reversed {
  /** Senti; null when the provider says that it went back and not how much. */
  readonly amount: Senti | null;
  /** The provider's receipt of the reversal; null when it names none. */
  readonly reversalTransactionId: string | null;
  readonly source: OutcomeSource;
}

/** `exceeds`: more would have gone back than came, so that a person has to look. */
export type BookedReversal = 'booked' | 'known' | 'exceeds';

/** Books that a provider sent a payment back: the one way in for reversals of known payments. */
export async function bookReversal(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { account, transactionId, ...reversed }: Reversed & { account: { id: string; environment: Environment }; transactionId: string },
): Promise<BookedReversal | 'no_payment'> {
  const payment = await findPayment(runtime.db, account.id, transactionId);
  if (!payment) return 'no_payment';
  return withBills(
    runtime,
    () => listBillsOf(runtime.db, payment.id),
    (tx, bookings, now) => bookReversalOf(runtime, tx, bookings, { ...reversed, payment, now }),
  );
}

/**
 * Writes a reversal and takes it off what the payment paid: off what is unmatched first, then off the bill that had its
 * money last. The caller has locked the bills and writes the bookings. An open request for this reversal is settled by it.
 */
export async function bookReversalOf(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  tx: Queryable,
  bookings: Bookings,
  { payment, now, amount, reversalTransactionId, source }: Reversed & { payment: LedgerPayment; now: Date },
): Promise<BookedReversal> {
  const balance = await lockBalance(tx, payment);
  const request = await findOpenRequest(tx, payment.id);
  const split = splitReversal(balance, { amount, asked: request?.amount ?? null, reversalTransactionId });
  if (split.kind === 'known' && split.named && !(await nameReversal(tx, { ...split.named, recordedAt: now })))
    return bookReversalOf(runtime, tx, bookings, { payment, now, amount, reversalTransactionId, source });
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
