import { correctPayment } from '@/lib/gateway/ledger/correct-payment';
import { recordPayment } from '@/lib/gateway/ledger/record-payment';
import type { HandSource } from '@/lib/gateway/ledger/rules';
import { accessTo, MODEL } from './actor';
import { partOf, pick } from './gateway-steps';
import type { World } from './world';

interface Received {
  readonly bill: number;
  /** A part of the amount of the bill, see `partOf`. */
  readonly part: number;
  readonly source: HandSource;
  /** 1: the person confirms that it is more than what is left. */
  readonly overpay: number;
  /** 1: the request is sent twice at the same time. */
  readonly twice: number;
}

/** A person records money that they received for a bill. */
export async function recordCash(world: World, { bill: index, part, source, overpay, twice }: Received): Promise<void> {
  const bill = pick(world.books.bills, index);
  if (!bill) return;
  const amount = partOf(bill.amount, part);
  const requestKey = `cash-${crypto.randomUUID()}`;
  const entered = { billId: bill.id, amount, source, receivedAt: '', slip: '', note: '', overpay: overpay === 1, requestKey };
  const record = () => recordPayment(world.runtime, accessTo(bill), entered);
  const recorded = (await Promise.all(twice === 1 ? [record(), record()] : [record()])).flatMap((one) =>
    one.ok ? [one.value.paymentId] : [],
  );
  for (const id of recorded) world.cash.set(id, Number(amount));
  if (new Set(recorded).size > 1) world.provider.complaints.push(`money for ${bill.reference} was recorded twice`);
}

/** A person corrects the amount of money by hand. @param how 0: to 0, 1: to half of it, 2: to one shilling more. */
export async function correctCash(world: World, { entry: index, how }: { entry: number; how: number }): Promise<void> {
  const entry = pick(
    world.books.byHand.filter(({ kind }) => kind === 'payment'),
    index,
  );
  // In parallel steps, the model would not know which of two corrections came last.
  if (!entry || world.frozen) return;
  const to = [0n, partOf(entry.amount, 1), partOf(entry.amount, 3)][how] ?? 0n;
  const corrected = await correctPayment(world.runtime, { entryId: entry.id, to, reason: 'miscounted', actor: MODEL, reviewId: null });
  if (!corrected.ok) return;
  world.cash.set(entry.id, Number(to));
  world.miscounted.add(entry.id);
}
