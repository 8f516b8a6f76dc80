import { settleAttempt } from '@/lib/gateway/attempts/settle-attempt';
import { allocatePayment } from '@/lib/gateway/ledger/allocate-payment';
import { correctPayment, movePayment } from '@/lib/gateway/ledger/correct-payment';
import { refundOutside, requestReversal } from '@/lib/gateway/refunds/ask-refund';
import { settleRefund, stopRefund } from '@/lib/gateway/refunds/decide-refund';
import { accessTo, MODEL } from './actor';
import { type Books, readBooks } from './books';
import { nullable, partOf, pick, workRefunds } from './gateway-steps';
import { sum } from './ledger-invariants';
import { HONEST, type World } from './world';

/** An operator asks the provider by telephone and settles an attempt: as paid if the customer has paid, otherwise as failed. */
export async function settleByWord(world: World, { attempt: index }: { attempt: number }): Promise<void> {
  const attempt = pick(world.books.attempts, index);
  if (!attempt) return;
  const { id: attemptId, our_reference: reference } = attempt;
  const prompt = world.provider.prompts.get(reference);
  const [paid] = prompt ? world.provider.paymentsFor(prompt.till, reference) : [];
  const outcome = paid
    ? ({ kind: 'paid', transactionId: paid.receipt, amount: BigInt(paid.amount) } as const)
    : ({ kind: 'failed', reason: 'rejected' } as const);
  const settled = await settleAttempt(world.process(HONEST), { attemptId, outcome, reason: 'ticket', actor: MODEL });
  if (settled.ok) world.told.add(`${reference} ${outcome.kind}`);
}

export async function allocate(
  world: World,
  { payment: index, bill: to, part }: { payment: number; bill: number; part: number },
): Promise<void> {
  const payment = pick(unmatched(world), index);
  const bill = pick(world.books.bills, to);
  if (!payment || !bill) return;
  const amount = nullable(payment.amount, part);
  await allocatePayment(world.runtime, { paymentId: payment.id, billId: bill.id, amount, reason: 'found', actor: MODEL });
}

/** Two people allocate the same payment at the same time, each to another bill. */
export async function allocateTwice(world: World, { payment: index, bill: to }: { payment: number; bill: number }): Promise<void> {
  const payment = pick(unmatched(world), index);
  const bills = [pick(world.books.bills, to), pick(world.books.bills, to + 1)];
  await Promise.all(
    bills.map(async (bill) => {
      if (!payment || !bill) return;
      const options = { paymentId: payment.id, billId: bill.id, amount: null, reason: 'found', actor: MODEL } as const;
      await allocatePayment(world.runtime, options);
    }),
  );
}

/** The operator gives unmatched money back in cash. @param part a part of the whole payment, see `partOf`; 0: all that no bill has. */
export async function refundByOperator(world: World, { payment: index, part }: { payment: number; part: number }): Promise<void> {
  const payment = pick(payments(world), index);
  if (!payment) return;
  const amount = nullable(payment.amount, part);
  await refundOutside(world.process(HONEST), { paymentId: payment.id, amount, reason: 'paid back in cash', actor: MODEL });
}

/**
 * A person corrects the amount of a payment, rightly or wrongly.
 * @param how 0 and 1: to the provider's amount, 2: to half of it, 3: to 0, 4: to one shilling more.
 */
export async function correct(world: World, { payment: index, how }: { payment: number; how: number }): Promise<void> {
  const payment = pick(payments(world), index);
  const real = payment && realAmount(world, payment);
  // In parallel steps, the model would not know which of two corrections came last.
  if (!payment || real === undefined || world.frozen) return;
  const to = how < 2 ? real : Number([partOf(real, 1), 0n, partOf(real, 3)][how - 2] ?? 0n);
  await correctTo(world, payment, to);
}

/**
 * Settles or stops all refunds, and corrects all amounts that people have corrected wrongly. Returns a sentence for each that cannot be
 * corrected. Call it when the provider has decided about all requests that have arrived.
 */
export async function correctMistakes(world: World): Promise<string[]> {
  for (const { id, our_reference, state, payment_id } of world.books.refunds) {
    const decided = world.provider.refundRequests.get(our_reference)?.state ?? 'refused';
    const merchant_id = world.books.payments.find((payment) => payment.id === payment_id)?.merchant_id;
    if (merchant_id && (state === 'ASKED' || state === 'APPROVED')) await stopRefund(world.runtime, accessTo({ merchant_id }), id);
    else if (decided !== 'taken') await settleByState(world, id, decided);
  }
  const wrongs: string[] = [];
  for (const payment of payments(world).filter((one) => world.mistaken.has(nameOf(world, one)))) {
    const real = realAmount(world, payment) ?? 0;
    if (await correctTo(world, payment, real)) continue;
    // The reversals in the ledger exceed the right amount: their amounts were assumed while the amount of the payment was wrong.
    for (const reversal of world.books.payments.keys()) await correctReversal(world, { reversal });
    if (!(await correctTo(world, payment, real))) wrongs.push(`${payment.provider_transaction_id} cannot be corrected`);
  }
  return wrongs;
}

async function correctTo(world: World, payment: Books['payments'][number], to: number): Promise<boolean> {
  const name = nameOf(world, payment);
  const word = { reason: 'the amount was mistyped', actor: MODEL, reviewId: null };
  const corrected = await correctPayment(world.runtime, { ...word, entryId: payment.id, to: BigInt(to) });
  if (!corrected.ok && corrected.error !== 'nothing_to_correct') return false;
  world.corrected.add(name);
  if (to === realAmount(world, payment)) world.mistaken.delete(name);
  else world.mistaken.set(name, to);
  // This provider does not report amounts of reversals. Bili takes the amount of the payment, which is or was wrong.
  if (world.tillOf(payment.provider_account_id) === 'unsigned') world.guessed.add(name);
  return true;
}

function realAmount(world: World, payment: Books['payments'][number]): number | undefined {
  return world.provider.findPayment(world.tillOf(payment.provider_account_id), payment.provider_transaction_id)?.amount;
}

const nameOf = (world: World, payment: Books['payments'][number]) =>
  `${world.tillOf(payment.provider_account_id)} ${payment.provider_transaction_id}`;

const payments = ({ books }: World) => books.payments.filter(({ kind }) => kind === 'payment');

export async function sendBack(world: World, { payment: index, part }: { payment: number; part: number }): Promise<void> {
  const payment = pick(payments(world), index);
  if (!payment) return;
  const amount = nullable(payment.amount, part);
  await requestReversal(world.process(HONEST), { paymentId: payment.id, amount, reason: 'wrong goods', actor: MODEL });
}

/**
 * Half of a payment is reversed. Then the provider refuses to reverse the other half, and the answer with this refusal is lost. Some
 * providers report in status queries only that a part of the payment was reversed, so their status queries do not show the refusal.
 */
export async function sendBackHalves(world: World, { payment: index }: { payment: number }): Promise<void> {
  const whole = world.books.payments.filter(
    ({ kind, amount, provider_account_id, provider_transaction_id: receipt }) =>
      kind === 'payment' && world.provider.keptOf(world.tillOf(provider_account_id), receipt) === amount,
  );
  const payment = pick(whole, index);
  if (!payment) return;
  for (const script of [HONEST, { fate: 1, word: 2 }]) {
    const half = { paymentId: payment.id, amount: partOf(payment.amount, 1), reason: 'wrong goods', actor: MODEL };
    await requestReversal(world.process(HONEST), half);
    world.books = await readBooks(world.runtime.db);
    await workRefunds(world, script);
    world.books = await readBooks(world.runtime.db);
  }
}

/** An operator settles a refund with the provider's decision. Does nothing while the provider has not decided. */
export async function settleRefundByWord(world: World, { refund: index }: { refund: number }): Promise<void> {
  const refund = pick(world.books.refunds, index);
  const state = refund && world.provider.refundRequests.get(refund.our_reference)?.state;
  if (refund && state && state !== 'taken') await settleByState(world, refund.id, state);
}

async function settleByState(world: World, id: string, state: 'refused' | { readonly receipt: string }): Promise<void> {
  const outcome = state === 'refused' ? ({ kind: 'failed' } as const) : ({ kind: 'refunded', transactionId: state.receipt } as const);
  await settleRefund(world.runtime, { id, outcome, reason: 'ticket', actor: MODEL });
}

/** A person finds out how much was reversed, and corrects the amount that Bili had assumed. */
export async function correctReversal(world: World, { reversal: index }: { reversal: number }): Promise<void> {
  const { books, provider, guessed } = world;
  const assumed = books.payments.flatMap((reversal) => {
    const payment = books.payments.find(({ id }) => id === reversal.reverses_id);
    const receipt = payment?.provider_transaction_id;
    const till = world.tillOf(reversal.provider_account_id);
    if (receipt === undefined || receipt !== reversal.provider_transaction_id || !guessed.has(`${till} ${receipt}`)) return [];
    const others = books.payments.filter(
      ({ id, kind, reverses_id }) => kind === 'reversal' && reverses_id === payment?.id && id !== reversal.id,
    );
    return [{ id: reversal.id, to: sum(provider.reversalsOf(till, receipt)) - sum(others) }];
  });
  const one = pick(assumed, index);
  if (!one || one.to < 0) return;
  const word = { reason: 'the provider was asked', actor: MODEL, reviewId: null };
  await correctPayment(world.runtime, { ...word, entryId: one.id, to: BigInt(one.to) });
}

/** A person moves a payment to the right bill. */
export async function move(world: World, { payment: index, bill: to }: { payment: number; bill: number }): Promise<void> {
  const payment = pick(payments(world), index);
  const bill = pick(world.books.bills, to);
  if (!payment || !bill) return;
  const word = { reason: 'it was paid for the other bill', actor: MODEL, reviewId: null };
  await movePayment(world.runtime, { ...word, paymentId: payment.id, billId: bill.id });
}

/** Returns payments that were never allocated to a bill. */
function unmatched({ books }: World): Books['payments'] {
  return books.payments.filter(({ id, kind }) => kind === 'payment' && !books.allocations.some(({ payment_id }) => payment_id === id));
}
