import { correctPayment } from '@/lib/gateway/ledger/correct-payment';
import type { HandSource } from '@/lib/gateway/ledger/rules';
import { askRefund } from '@/lib/gateway/refunds/ask-refund';
import { approveRefund, returnRefund, stopRefund } from '@/lib/gateway/refunds/decide-refund';
import { accessTo, MODEL, SECOND } from './actor';
import type { Books } from './books';
import { nullable, partOf, pick } from './gateway-steps';
import { isOpenRefund } from './ledger-invariants';
import { HONEST, type World } from './world';

// Refunds, as the people of a merchant ask for them, of payments through providers and of money by hand.

const PEOPLE = [MODEL, SECOND] as const;

interface Asked {
  readonly payment: number;
  /** What goes back: 0 and 1 the payment wherever it is, 2 the money of a bill, 3 what no bill has. */
  readonly of: number;
  /** A part of the whole payment, see `partOf`; 0: all of it. */
  readonly part: number;
  readonly byHand: number;
}

/** A person asks for a refund. */
export async function askBack(world: World, { payment: index, of, part, byHand }: Asked): Promise<void> {
  const payment = pick(owned(world), index);
  if (!payment) return;
  const { id: paymentId, merchant_id, amount } = payment;
  const billId = world.books.allocations.find(({ payment_id }) => payment_id === paymentId)?.bill_id ?? crypto.randomUUID();
  await askRefund(world.process(HONEST), accessTo({ merchant_id }), {
    paymentId,
    of: of < 2 ? 'payment' : of === 2 ? { billId } : 'unmatched',
    amount: nullable(amount, part),
    byHand: byHand === 1,
    reason: 'wrong size',
  });
}

/** Two people ask for the same refund at the same time. */
export async function askBackTwice(world: World, asked: Asked): Promise<void> {
  await Promise.all([askBack(world, asked), askBack(world, asked)]);
}

/**
 * A person decides about a refund that waits for a second person, or stops one that was not sent yet.
 * @param how 0 and 1: approves it, 2: stops it. @param person 0: the one who asks for all refunds, 1: another one.
 */
export async function decide(world: World, { refund: index, how, person }: { refund: number; how: number; person: number }): Promise<void> {
  const refund = pick(ofMerchants(world).filter(isOpenRefund), index);
  if (!refund) return;
  const access = accessTo(refund, pick(PEOPLE, person));
  if (how < 2) await approveRefund(world.runtime, access, refund.id);
  else await stopRefund(world.runtime, access, refund.id);
}

/** A person returns the money of a refund by hand, perhaps of one that is done already. @param twice 1: and says so twice at the same time. */
export async function giveBack(
  world: World,
  { refund: index, source, twice }: { refund: number; source: HandSource; twice: number },
): Promise<void> {
  const refund = pick(
    ofMerchants(world).filter(({ way }) => way === 'hand'),
    index,
  );
  if (!refund) return;
  const give = () => returnRefund(world.runtime, accessTo(refund), { id: refund.id, source, happenedAt: null });
  const given = await Promise.all(twice === 1 ? [give(), give()] : [give()]);
  if (given.filter(({ ok }) => ok).length > 1) world.provider.complaints.push(`refund ${refund.id} was returned twice`);
}

/** A person corrects the amount of a refund by hand. @param how 0: to 0, 1: to half of it, 2: to one shilling more. */
export async function correctGiven(world: World, { entry: index, how }: { entry: number; how: number }): Promise<void> {
  const entry = pick(
    world.books.byHand.filter(({ kind }) => kind === 'refund'),
    index,
  );
  if (!entry) return;
  const to = [0n, partOf(entry.amount, 1), partOf(entry.amount, 3)][how] ?? 0n;
  await correctPayment(world.runtime, { entryId: entry.id, to, reason: 'it was another amount', actor: MODEL, reviewId: null });
}

type Owned = Pick<Books['payments'][number], 'id' | 'amount'> & { readonly merchant_id: string };

/** Returns the payments that belong to a merchant. */
function owned({ books }: World): Owned[] {
  return [...books.payments, ...books.byHand].flatMap((payment) => {
    const { kind, merchant_id } = payment;
    return kind === 'payment' && merchant_id !== null ? [{ ...payment, merchant_id }] : [];
  });
}

/** Returns the refunds of merchants, with their merchants. */
function ofMerchants(world: World) {
  return world.books.refunds.flatMap((refund) => {
    const payment = owned(world).find(({ id }) => id === refund.payment_id);
    return payment ? [{ ...refund, merchant_id: payment.merchant_id }] : [];
  });
}
