import type { Actor } from '@/lib/core/actor';
import { newId } from '@/lib/core/ids';
import type { Senti } from '@/lib/core/money';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import type { Bookings } from './bookings';
import { type BillShare, insertCorrection, reduceReversedAmount } from './correction-store';
import { insertAllocations } from './ledger-store';
import type { LedgerPayment } from './payment-store';

/** Who makes a correction, and why. */
export interface CorrectionOrigin {
  readonly reason: string;
  readonly actor: Actor;
  /** The open review that the correction closes; null for none. */
  readonly reviewId: string | null;
}

interface WriteCorrectionOptions extends CorrectionOrigin {
  readonly payment: LedgerPayment;
  readonly correctsId: string;
  /** The amount of the entry before and after the correction, senti. */
  readonly from: Senti;
  readonly to: Senti;
  /** The change of each bill; negative if the bill loses money. */
  readonly shares: readonly BillShare[];
  /** If the correction changes no bill, the history of this bill shows the correction. Null if no history must show it. */
  readonly shownOn: string | null;
  readonly now: Date;
}

/** Inserts a correction, and adds its effects on bills to `bookings`. The caller has locked the bills and the payment. */
export async function writeCorrection(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  tx: Queryable,
  bookings: Bookings,
  { payment, correctsId, from, to, shares, shownOn, reason, actor, reviewId, now }: WriteCorrectionOptions,
): Promise<void> {
  const id = newId(runtime);
  const { environment } = payment;
  await insertCorrection(tx, payment, { id, correctsId, amount: to - from, reason, createdBy: actor.name, reviewId, now });
  const data = { by: actor.name, reason, payment: payment.id, entry: correctsId, correction: id, transactionId: payment.transactionId };
  const amounts = { from: from.toString(), to: to.toString() };
  for (const share of shares) {
    const { billId, merchantId, amount } = share;
    const bill = { id: billId, merchantId, environment };
    await insertAllocations(tx, [{ id: newId(runtime), paymentId: id, bill, amount, createdBy: actor.name, createdAt: now }]);
    if (correctsId !== payment.id) await reduceReversedAmount(tx, share);
    const event = { type: 'payment.corrected', data: { ...data, ...amounts, amount: amount.toString() } };
    bookings.add(billId, { paid: amount, events: [event] });
  }
  if (shares.length === 0 && shownOn !== null)
    bookings.add(shownOn, { events: [{ type: 'payment.corrected', data: { ...data, ...amounts, amount: '0' } }] });
}
