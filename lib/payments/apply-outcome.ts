import { changeBill, lockBill } from '@/lib/bills/change-bill';
import type { Runtime } from '@/lib/config/runtime';
import { newId } from '@/lib/core/ids';
import { announceBill } from '@/lib/webhooks/announce-bill';
import { insertAllocation, insertPayment } from './ledger-store';
import type { Outcome } from './outcome';
import { type Attempt, decide, type Pace } from './rules';
import { isOpen } from './state';
import { lockAttempt, moveAttempt, rescheduleAttempt } from './store';

interface ApplyOutcomeOptions {
  readonly attempt: Pick<Attempt, 'id' | 'billId'>;
  readonly providerAccountId: string | null;
  readonly outcome: Outcome;
  readonly pace: Pace;
  /** Where the outcome comes from, for the timeline. */
  readonly source: 'answer' | 'status' | 'callback' | 'statement' | 'gateway';
  /** The fencing token of the lease under which the caller works, if it does. */
  readonly leaseToken: number | null;
}

/**
 * The one way in for everything that is learned about an attempt. One transaction under the bill's lock: moves the attempt
 * by compare-and-set, records the payment, books it on the bill, numbers the events and owes the merchant its webhook.
 */
export async function applyOutcome(runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>, options: ApplyOutcomeOptions): Promise<void> {
  const { outcome, pace, providerAccountId, source, leaseToken } = options;
  await runtime.db.transaction(async (tx) => {
    const bill = await lockBill(tx, options.attempt.billId);
    const attempt = await lockAttempt(tx, options.attempt.id);
    if (!attempt) throw new Error(`attempt ${options.attempt.id} does not exist`);
    const now = runtime.clock();
    // A worker that lost its lease may have been overtaken: its "never sent" says nothing of what others did since.
    if (outcome.kind === 'not_sent' && leaseToken !== attempt.leaseToken) return;
    const decision = decide(attempt, outcome, pace, now);
    if (decision === null) return;

    const moves = decision.state !== attempt.state;
    if (moves && !(await moveAttempt(tx, attempt, decision, now))) throw new Error(`attempt ${attempt.id} moved under its lock`);
    if (!moves && decision.dueAt && leaseToken !== null) await rescheduleAttempt(tx, attempt, leaseToken, decision);

    const events: { type: string; data: Record<string, unknown> }[] = [];
    const about = { attempt: attempt.id, source };
    if (moves)
      events.push({
        type: `attempt.${decision.state.toLowerCase()}`,
        data: { ...about, ...(decision.failureReason && { reason: decision.failureReason }) },
      });

    let paid = 0n;
    const { payment } = decision;
    const accountId = providerAccountId ?? attempt.providerAccountId;
    if (payment && accountId) {
      const paymentId = newId(runtime);
      const { transactionId, amount, late } = payment;
      const entered = await insertPayment(tx, {
        id: paymentId,
        attempt,
        providerAccountId: accountId,
        transactionId,
        amount,
        late,
        recordedAt: now,
      });
      const money = { ...about, transactionId, amount: amount.toString() };
      const bookable = entered.kind === 'inserted' ? { id: paymentId, amount } : entered.kind === 'unmatched' ? entered : null;
      if (bookable && payment.allocate) {
        await insertAllocation(tx, { id: newId(runtime), paymentId: bookable.id, attempt, amount: bookable.amount, createdAt: now });
        events.push({ type: 'payment.recorded', data: { ...money, payment: bookable.id, ...(late && { late }) } });
        paid = bookable.amount;
      } else if (entered.kind === 'inserted') {
        events.push({ type: 'payment.unmatched', data: { ...money, payment: paymentId } });
      } else if (entered.kind === 'conflict' && moves) {
        // Two prompts under one receipt: the provider contradicts itself, and a person has to look.
        events.push({ type: 'payment.conflict', data: money });
        runtime.log.error(
          { attemptId: attempt.id, billId: bill.id, transactionId },
          'a receipt that another attempt has was reported again',
        );
      }
    }
    if (events.length === 0) return;
    const released = isOpen(attempt.state) && !isOpen(decision.state) ? attempt.amount : 0n;
    const changed = await changeBill(tx, bill, { paid, released, payer: paid > 0n ? attempt.mobile : null, events, now });
    if (changed.statusEvent !== null) await announceBill(runtime, tx, changed.bill, changed.statusEvent, now);
  });
}
