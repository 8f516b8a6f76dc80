import { HOUR_MS } from '@/lib/platform/core/clock';
import { placeOf } from '../fakes/fake-provider';
import { signsCallbacks, TILLS, type Transaction, variantOf } from '../fakes/fake-record';
import { deliverNotice } from './callback-steps';
import { partOf, pick } from './gateway-steps';
import type { World } from './world';

/** The time after a payment during which status queries do not show the payment yet, milliseconds. */
const LAGS_MS = [0, 4_000, 150_000] as const;

/**
 * A customer answers a prompt, or it expires. A prompt may be paid late and repeatedly. The callback may come late or never, and status
 * queries may not show the payment for a while.
 * @param how 0 to 3: the customer pays this part (see `partOf`), 4: declines, 5: the prompt expires.
 */
export async function answer(
  world: World,
  { prompt: index, how, late, lag }: { prompt: number; how: number; late: number; lag: number },
): Promise<void> {
  const { provider } = world;
  const prompt = pick([...provider.prompts.values()], index);
  if (!prompt) return;
  const made = provider.notices.length;
  if (how < 4) provider.pay(prompt.till, prompt.reference, Number(partOf(prompt.amount, how)) || 100, LAGS_MS[lag]);
  else if (prompt.status === 'asking' && how === 4) provider.decline(prompt, 'user_cancelled');
  else if (prompt.status === 'asking') provider.expire(prompt);
  await callBack(world, made, late);
}

/**
 * How long after the end of an attempt the customer pays, milliseconds. After the shortest of these times, the gateway still sends status
 * queries for the attempt.
 */
const LATER_MS = [HOUR_MS, 25 * HOUR_MS, 80 * HOUR_MS] as const;

/** An attempt that has ended is paid hours or days later. */
export async function payLate(
  world: World,
  { prompt: index, wait, late, lag }: { prompt: number; wait: number; late: number; lag: number },
): Promise<void> {
  const { provider } = world;
  const ended = [...provider.prompts.values()].filter(({ status }) => status !== 'asking' && status !== 'paid');
  const prompt = pick(ended, index);
  if (!prompt) return;
  world.advance(LATER_MS[wait] ?? 0);
  const made = provider.notices.length;
  provider.pay(prompt.till, prompt.reference, prompt.amount, LAGS_MS[lag]);
  await callBack(world, made, late);
}

/** A customer pays a prompt that came although the provider had refused its request. */
export async function payRefused(world: World, { prompt: index, late }: { prompt: number; late: number }): Promise<void> {
  const { provider } = world;
  const place = pick([...provider.wrongRefusals.keys()], index);
  const request = place === undefined ? undefined : provider.wrongRefusals.get(place);
  const till = TILLS.find((one) => request && place === placeOf(one, request.reference));
  if (!request || !till) return;
  const made = provider.notices.length;
  provider.pay(till, request.reference, Number(request.amount));
  await callBack(world, made, late);
}

/** Delivers the callbacks from the index `since` on if `late` is 0. Otherwise a later step of the history delivers them, or none does. */
export async function callBack(world: World, since: number, late: number): Promise<void> {
  if (late === 0) for (const notice of world.provider.notices.slice(since)) await deliverNotice(world, notice);
}

/** A customer pays although Bili has sent no prompt. */
export async function payUnasked(world: World, { till, amount, late }: { till: number; amount: number; late: number }): Promise<void> {
  const { provider } = world;
  const made = provider.notices.length;
  provider.pay(pick(TILLS, till) ?? 'signed', `COUNTER${provider.transactions.length}`.padEnd(20, 'X'), (amount + 1) * 10_000);
  await callBack(world, made, late);
}

/**
 * The provider reverses a payment although Bili has not requested it. Unsigned callbacks do not contain the reversed amount, so Bili cannot
 * know the amount of a partial reversal: `world.guessed` lists such payments.
 */
export async function takeBack(
  world: World,
  { payment: index, part, late }: { payment: number; part: number; late: number },
): Promise<void> {
  const { provider } = world;
  const made = provider.notices.length;
  const payment = pick(payments(provider.transactions), index);
  if (!payment) return;
  const { till, receipt } = payment;
  const kept = provider.keptOf(till, receipt);
  const amount = Math.min(Number(partOf(payment.amount, part)), kept);
  if (amount <= 0) return;
  if (variantOf(till) === 'unsigned' && amount !== payment.amount) world.guessed.add(`${till} ${receipt}`);
  provider.reverse(payment, amount);
  await callBack(world, made, late);
}

/** The provider completes a reversal or payout that it had only accepted. */
export async function finishRefund({ provider }: World, { index }: { index: number }): Promise<void> {
  const accepted = [...provider.refundRequests].filter(([, { state }]) => state === 'taken');
  const reference = pick(accepted, index)?.[0];
  if (reference !== undefined) provider.completeRefund(reference);
}

/** The provider reports another attempt as paid, with the receipt number of an earlier payment. */
export async function repeatReceipt(world: World, { payment: index, prompt: other }: { payment: number; prompt: number }): Promise<void> {
  const { provider } = world;
  const booked = payments(provider.transactions).filter(
    ({ till, receipt, reference }) =>
      signsCallbacks(till) && provider.prompts.get(reference)?.till === till && world.learned.has(`${till} ${receipt}`),
  );
  const payment = pick(booked, index);
  if (!payment) return;
  const { till, receipt, amount, reference } = payment;
  const prompt = pick(
    [...provider.prompts.values()].filter((one) => one.till === till && one.reference !== reference),
    other,
  );
  if (!prompt) return;
  const made = provider.notices.length;
  world.conflicts.push({ till, receipt, reference: prompt.reference });
  provider.notify(till, prompt.reference, { kind: 'paid', receipt, amount });
  await callBack(world, made, 0);
}

/** The provider reports a receipt number again with another amount. */
export async function repeatAmount(world: World, { payment: index, more }: { payment: number; more: number }): Promise<void> {
  const { provider } = world;
  const known = payments(provider.transactions).filter(
    ({ till, receipt }) => signsCallbacks(till) && world.learned.has(`${till} ${receipt}`) && !world.mistaken.has(`${till} ${receipt}`),
  );
  const payment = pick(known, index);
  if (!payment) return;
  const { till, receipt, reference } = payment;
  const made = provider.notices.length;
  const amount = payment.amount + 100 * (more + 1);
  world.otherAmounts.push({ till, receipt, amount });
  provider.notify(till, reference, { kind: 'paid', receipt, amount });
  await callBack(world, made, 0);
}

function payments(transactions: readonly Transaction[]): Transaction[] {
  return transactions.filter(({ kind }) => kind === 'payment');
}
