import { bookReversalOf, reviewReversal } from '@/lib/gateway/ledger/book-reversal';
import { bookPayments, withBills } from '@/lib/gateway/ledger/bookings';
import { findPayment, listBillsOf } from '@/lib/gateway/ledger/payment-store';
import { reach } from '@/lib/platform/config/fail-point';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import type { MoneyOutcome } from '@/lib/providers/port/instrument';
import type { OutcomeSource } from '@/lib/providers/port/outcome';
import type { Instrument } from './rules';
import { readInstrumentBill } from './store';

interface BookOptions {
  readonly instrument: Instrument;
  /** The account that reports the payment. It may be a renewal of the instrument's account. */
  readonly providerAccountId: string;
  readonly outcome: MoneyOutcome;
  /** The number that paid; null if the provider does not name it. */
  readonly payer: string | null;
  readonly source: OutcomeSource;
}

/**
 * Books a payment of an instrument on its bill, whatever its amount and whenever it comes: a payment of an ended instrument, of a closed bill
 * or beside an open prompt is money that the merchant has. A reversal goes back from the bill. Idempotent.
 */
export async function bookInstrumentPayment(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>,
  { instrument, providerAccountId, outcome, payer: mobile, source }: BookOptions,
): Promise<void> {
  const { db, log } = runtime;
  const { id: instrumentId, billId, transactionId } = { ...instrument, ...outcome };
  const findBills = async () => {
    const earlier = outcome.kind === 'reversed' ? await findPayment(db, providerAccountId, transactionId) : undefined;
    return [...new Set([billId, ...(earlier ? await listBillsOf(db, earlier.id) : [])])];
  };
  await withBills(runtime, findBills, async (tx, bookings, now) => {
    const bill = await readInstrumentBill(tx, billId);
    const late = instrument.state === 'ENDED' || bill.closedAt !== null;
    const request = { ...instrument, attemptId: null, instrumentId, mobile };
    const { amount, happenedAt = null, assumed = false } = outcome;
    const fee = outcome.kind === 'paid' ? (outcome.fee ?? null) : null;
    const paid = { request, providerAccountId, transactionId, amount, late, allocate: true, assumed, fee, happenedAt, source, log };
    await bookPayments(runtime, tx, bookings, [paid], now);
    if (outcome.kind !== 'reversed') return;
    const payment = await findPayment(tx, providerAccountId, transactionId);
    if (!payment) throw new Error(`payment ${transactionId} is not in the ledger after it was booked`);
    const { reversed, reversalTransactionId, reversedAt = null } = outcome;
    const reported = { amount: reversed, reversalTransactionId, happenedAt: reversedAt, source };
    const booked = await bookReversalOf(runtime, tx, bookings, { payment, ...reported, now });
    if (booked === 'exceeds' || booked === 'differs')
      await reviewReversal(runtime, tx, { payment, booked, amount: reversed, reversalTransactionId, source, now });
  });
  reach('instrument.booked');
}
