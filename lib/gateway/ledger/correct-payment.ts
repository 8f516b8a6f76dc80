import { lockOpenRefund } from '@/lib/gateway/refund-states/store';
import { resolveWithin } from '@/lib/gateway/reviews/resolve-review';
import { lockReviewOfPayment } from '@/lib/gateway/reviews/store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Actor } from '@/lib/platform/core/actor';
import { isUuid, newId } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Queryable } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type AllocationRefusal, allocateToBill, findTarget } from './allocate-payment';
import { insertCorrection, listAttached, listTaken, lockBalance, readBalance, reduceReversedAmount } from './balance-store';
import { type Bookings, withBills } from './bookings';
import { findPaidRequest, findPaymentById, insertAllocations, type LedgerPayment, listBillsOf } from './payment-store';
import { type BillShare, splitCorrection } from './rules';

interface CorrectPaymentOptions extends CorrectionOrigin {
  /** The id of a payment, a reversal or a refund. */
  readonly entryId: string;
  /** The true amount, senti; 0 if the payment or reversal never happened. */
  readonly to: Senti;
}

export type CorrectionRefusal =
  | 'not_found'
  /** The ledger already has this amount. */
  | 'nothing_to_correct'
  /** A refund of the payment is open. */
  | 'refund_open'
  /** The reversals would exceed the corrected payment. */
  | 'more_than_left'
  /** The payment has no open review with this id. */
  | 'review_not_found';

interface Corrected {
  readonly from: Senti;
  readonly to: Senti;
  /** The change of each bill; negative if the bill lost money. */
  readonly bills: readonly BillShare[];
  /** The part of the payment that no bill has now, senti. */
  readonly unmatched: Senti;
}

/**
 * Corrects the amount of a payment or a reversal by a new ledger entry, when a person decides so. The bills change accordingly, with
 * their status events and webhooks. The review `reviewId` is closed in the same transaction.
 */
export async function correctPayment(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { entryId, to, reason, actor, reviewId }: CorrectPaymentOptions,
): Promise<Result<Corrected, CorrectionRefusal>> {
  const { db } = runtime;
  const entry = isUuid(entryId)
    ? await db.prisma.payment.findUnique({
        where: { id: entryId, kind: { in: ['payment', 'reversal', 'refund'] } },
        select: { id: true, reversesId: true },
      })
    : null;
  const payment = entry && (await findPaymentById(db, entry.reversesId ?? entry.id));
  if (!entry || !payment) return fail('not_found');
  if (reviewId !== null && !isUuid(reviewId)) return fail('review_not_found');
  const shownOn = (await findPaidRequest(db, payment))?.billId ?? null;

  return withBills(
    runtime,
    async () => [...(await listBillsOf(db, payment.id)), ...(shownOn === null ? [] : [shownOn])],
    async (tx, bookings, now): Promise<Result<Corrected, CorrectionRefusal>> => {
      const balance = await lockBalance(tx, payment);
      if (await lockOpenRefund(tx, payment.id)) return fail('refund_open');
      if (reviewId !== null && !(await lockReviewOfPayment(tx, reviewId, payment.id))) return fail('review_not_found');
      const reversal = [...balance.reversals, ...balance.refunds].find(({ id }) => id === entry.id);
      const from = reversal?.amount ?? balance.received;
      if (to === from) return fail('nothing_to_correct');
      const had = reversal ? await listTaken(tx, reversal.id) : await listAttached(tx, payment.id);
      const shares = splitCorrection(balance, { correctsId: entry.id, amount: to - from, had });
      if (shares === null) return fail('more_than_left');

      const origin = { reason, actor, reviewId };
      await writeCorrection(runtime, tx, bookings, { ...origin, payment, correctsId: entry.id, from, to, shares, shownOn, now });
      const { merchantId, environment } = payment;
      const about = { merchantId, environment, actor, action: 'payment.corrected', subject: payment.id };
      const amounts = { before: { amount: from.toString() }, after: { amount: to.toString() } };
      const data = { entry: entry.id, ...amounts, reason, ...(reviewId !== null && { review: reviewId }) };
      await recordEntry(runtime, { ...about, data }, tx);
      if (reviewId !== null) await resolveWithin(runtime, tx, { id: reviewId, resolution: reason, actor });
      const { unmatched } = await readBalance(tx, payment);
      return ok({ from, to, bills: shares, unmatched });
    },
  );
}

/** Who makes a correction, and why. */
interface CorrectionOrigin {
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
async function writeCorrection(
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
    // Comes first, so that a bill that is not locked is not changed.
    const event = { type: 'payment.corrected', data: { ...data, ...amounts, amount: amount.toString() } };
    bookings.add(billId, { paid: amount, events: [event] });
    const bill = { id: billId, merchantId, environment };
    await insertAllocations(tx, [{ id: newId(runtime), paymentId: id, bill, amount, createdBy: actor.name, createdAt: now }]);
    if (correctsId !== payment.id) await reduceReversedAmount(tx, share);
  }
  if (shares.length === 0 && shownOn !== null)
    bookings.add(shownOn, { events: [{ type: 'payment.corrected', data: { ...data, ...amounts, amount: '0' } }] });
}

interface MovePaymentOptions extends CorrectionOrigin {
  readonly paymentId: string;
  /** The bill to which the payment really belongs. */
  readonly billId: string;
}

export type MoveRefusal = Exclude<AllocationRefusal, 'more_than_unmatched'> | 'nothing_to_move' | 'review_not_found';

/**
 * Allocates the whole remaining amount of a payment, without what has gone back, to the given bill, when a person decides so. One correction removes the money from all
 * other bills. A second correction makes this money unmatched. Then a new allocation assigns the unmatched money to the given bill. Returns
 * the moved amount in senti.
 */
export async function movePayment(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { paymentId, billId, reason, actor, reviewId }: MovePaymentOptions,
): Promise<Result<Senti, MoveRefusal>> {
  const target = await findTarget(runtime.db, { paymentId, billId });
  if (!target.ok) return target;
  const { payment } = target.value;
  if (reviewId !== null && !isUuid(reviewId)) return fail('review_not_found');

  return withBills(
    runtime,
    async () => [...(await listBillsOf(runtime.db, payment.id)), billId],
    async (tx, bookings, now): Promise<Result<Senti, MoveRefusal>> => {
      const { received, allocated, unmatched, refunded } = await lockBalance(tx, payment);
      if (await lockOpenRefund(tx, payment.id)) return fail('refund_open');
      if (reviewId !== null && !(await lockReviewOfPayment(tx, reviewId, payment.id))) return fail('review_not_found');
      const elsewhere = allocated.filter((share) => share.billId !== billId).map((share) => ({ ...share, amount: -share.amount }));
      const taken = elsewhere.reduce((sum, { amount }) => sum - amount, 0n);
      const moved = taken + unmatched;
      if (moved === 0n) return fail(refunded > 0n ? 'refunded' : 'nothing_to_move');

      const correction = { payment, correctsId: payment.id, reason, actor, reviewId, shownOn: null, now };
      if (taken > 0n) {
        const less = received - taken;
        await writeCorrection(runtime, tx, bookings, { ...correction, from: received, to: less, shares: elsewhere });
        await writeCorrection(runtime, tx, bookings, { ...correction, from: less, to: received, shares: [] });
      }
      await allocateToBill(runtime, tx, bookings, { ...target.value, amount: moved, reason, actor, action: 'payment.moved', now });
      if (reviewId !== null) await resolveWithin(runtime, tx, { id: reviewId, resolution: reason, actor });
      return ok(moved);
    },
  );
}
