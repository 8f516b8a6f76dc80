import { recorder } from '@/lib/metrics/recorder';
import { withBills, withFreeBills } from '@/lib/payments/ledger/bookings';
import { findPayment, listBillsOf } from '@/lib/payments/ledger/payment-store';
import { isOpen } from '@/lib/payments/state';
import { sharedQueue } from '@/lib/queues/shared-queue';
import type { Runtime } from '@/lib/runtime/runtime';
import { type AttemptOutcome, applyOutcomes, type Decided } from './apply-outcomes';
import { noteProofs } from './note-proofs';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log'>;

/**
 * Applies an outcome to an attempt. Every answer, callback, status query, statement line and operator's decision goes through here.
 * One transaction under the bill's lock moves the attempt by compare-and-set, records the payment and books it on the bill, numbers
 * the events and inserts the webhook delivery. Outcomes of calls and callbacks that come at the same time share the transaction.
 */
export async function applyOutcome(runtime: Needs, outcome: AttemptOutcome): Promise<void> {
  const ofCall = outcome.source === 'answer' || outcome.source === 'status' || outcome.source === 'callback';
  // A reversal is applied alone, because it can also change the bills of other attempts.
  if (!ofCall || outcome.outcome.kind === 'reversed') return applyAlone(runtime, outcome);
  await applyShared(runtime.db, outcome.attempt.billId, { runtime, outcome });
}

interface Waiting {
  readonly runtime: Needs;
  readonly outcome: AttemptOutcome;
}

const applyShared = sharedQueue<Waiting, 'applied'>({
  runBatch: (_, waiting) => applyTogether(waiting),
  async runAlone(_, { runtime, outcome }) {
    await applyAlone(runtime, outcome);
    return 'applied';
  },
});

async function applyAlone(runtime: Needs, outcome: AttemptOutcome): Promise<void> {
  const decided = await withBills(
    runtime,
    () => listAffectedBills(runtime, outcome),
    (tx, bookings, now) => applyOutcomes(runtime, tx, bookings, [{ ...outcome, log: runtime.log }], now).then((all) => ({ all, now })),
  );
  for (const one of decided.all) recordMove(one, decided.now);
  await noteProofs(runtime, decided.all, decided.now);
}

/**
 * Returns undefined for an outcome that must be applied alone: its bill is locked elsewhere, or the batch has another outcome of the bill.
 */
async function applyTogether(waiting: readonly Waiting[]): Promise<('applied' | undefined)[]> {
  const [first] = waiting;
  if (!first) return [];
  const ofBill = new Map<string, Waiting>();
  for (const one of waiting) if (!ofBill.has(one.outcome.attempt.billId)) ofBill.set(one.outcome.attempt.billId, one);
  const { decided, applied, now } = await withFreeBills(first.runtime, [...ofBill.keys()], async (tx, bookings, now, locked) => {
    const applied = new Set([...ofBill.values()].filter(({ outcome }) => locked.has(outcome.attempt.billId)));
    const outcomes = [...applied].map(({ runtime, outcome }) => ({ ...outcome, log: runtime.log }));
    return { decided: await applyOutcomes(first.runtime, tx, bookings, outcomes, now), applied, now };
  });
  for (const one of decided) recordMove(one, now);
  await noteProofs(first.runtime, decided, now);
  return waiting.map((one) => (applied.has(one) ? 'applied' : undefined));
}

/** Counts a change of state. Records the time from prompt to outcome only for the first final state. Late money can change that state. */
function recordMove({ attempt, decision: { state }, providerAccountId }: Decided, now: Date): void {
  if (state === attempt.state) return;
  const settles = isOpen(attempt.state) && !isOpen(state);
  const sentMs = settles && attempt.sentAt ? now.getTime() - attempt.sentAt.getTime() : null;
  recorder()?.attemptMoved(providerAccountId ?? attempt.providerAccountId, state, sentMs);
}

/** Returns the bills that an outcome can change. For a reversal, these include all bills to which the payment was ever allocated. */
async function listAffectedBills({ db }: Needs, { attempt, providerAccountId, outcome }: AttemptOutcome): Promise<string[]> {
  if (outcome.kind !== 'reversed' || providerAccountId === null) return [attempt.billId];
  const payment = await findPayment(db, providerAccountId, outcome.transactionId);
  return payment ? [attempt.billId, ...(await listBillsOf(db, payment.id))] : [attempt.billId];
}
