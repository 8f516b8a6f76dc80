import { addMs, DAY_MS } from '@/lib/core/clock';
import { receiveCallback } from '@/lib/payments/receive-callback';
import { reconcileStatement } from '@/lib/reconciliation/reconcile-statement';
import type { Notice, Prompt, Said, Transaction, Variant } from '../fake-provider';
import { encode } from '../fake-wire';
import { partOf, pick } from './gateway-steps';
import { HONEST, VARIANTS, type World } from './world';

const YEAR_MS = 365 * DAY_MS;
const HEADER = 'transaction_id,type,amount,completed_at,reference,mobile,reversed_transaction_id';

/** What a customer, or time, does with a prompt: 0 to 3 pays, by `partOf`; 4 declines; 5 lets it run out. May pay late, and again. */
export async function answer(world: World, { prompt: index, how, late }: { prompt: number; how: number; late: number }): Promise<void> {
  const { provider } = world;
  const prompt = pick([...provider.prompts.values()], index);
  if (!prompt) return;
  const made = provider.notices.length;
  if (how < 4) provider.pay(prompt.variant, prompt.reference, Number(partOf(prompt.amount, how)) || 100);
  else if (prompt.status === 'asking' && how === 4) provider.decline(prompt, 'user_cancelled');
  else if (prompt.status === 'asking') provider.expire(prompt);
  await callBack(world, made, late);
}

/** Delivers what was notified since, unless that comes late or never. */
async function callBack(world: World, since: number, late: number): Promise<void> {
  if (late === 0) for (const notice of world.provider.notices.slice(since)) await deliverNotice(world, notice);
}

/** Money that no prompt asked for. */
export async function payUnasked(
  world: World,
  { variant, amount, late }: { variant: number; amount: number; late: number },
): Promise<void> {
  const { provider } = world;
  const made = provider.notices.length;
  provider.pay(pick(VARIANTS, variant) ?? 'signed', `COUNTER${provider.transactions.length}`.padEnd(20, 'X'), (amount + 1) * 10_000);
  await callBack(world, made, late);
}

/** The provider sends money back by itself; the unsigned one all of a payment, for it could not say how much. */
export async function takeBack(
  world: World,
  { payment: index, part, late }: { payment: number; part: number; late: number },
): Promise<void> {
  const { provider } = world;
  const made = provider.notices.length;
  const payment = pick(payments(provider.transactions), index);
  if (!payment) return;
  const kept = provider.keptOf(payment.receipt);
  const amount = payment.variant === 'signed' ? Math.min(Number(partOf(payment.amount, part)), kept) : kept;
  if (amount > 0) provider.reverse(payment, amount);
  await callBack(world, made, late);
}

/** The provider gets round to what it had only taken on. */
export async function finishReversal({ provider }: World, { index }: { index: number }): Promise<void> {
  const request = pick(
    [...provider.sendingBack.values()].filter(({ state }) => state === 'taken'),
    index,
  );
  if (request) provider.sendBack(request);
}

/** Delivers any callback that was ever made: late, out of order, again. */
export async function deliver(world: World, { notice: index }: { notice: number }): Promise<void> {
  const notice = pick(world.provider.notices, index);
  if (notice) await deliverNotice(world, notice);
}

export async function deliverNotice(world: World, notice: Notice): Promise<void> {
  const { variant, reference, said } = notice;
  const attempt = world.books.attempts.find(({ our_reference }) => our_reference === reference);
  notice.delivered = true;
  if (variant === 'signed') world.heard.words.add(`${reference} ${said.kind}`);
  await call(world, variant, { reference, said }, variant === 'signed');
  if (variant === 'signed' && 'receipt' in said) world.learned.add(said.receipt);
  if (variant === 'signed' && said.kind === 'reversed' && said.reversal) world.learned.add(said.reversal);
  const denies = said.kind === 'failed' || said.kind === 'expired';
  if (variant === 'signed' && denies && attempt?.state === 'SUCCEEDED') world.contradicted.add(reference);
}

/** The provider denies what was paid. */
export async function contradict({ provider, heard }: World, { prompt: index, how }: { prompt: number; how: number }): Promise<void> {
  const prompt = pick(
    [...provider.prompts.values()].filter(({ status }) => status === 'paid'),
    index,
  );
  if (!prompt) return;
  heard.words.add(`${prompt.reference} lie`);
  provider.notify(prompt.variant, prompt.reference, how % 2 === 0 ? { kind: 'failed', reason: 'rejected' } : { kind: 'expired' });
}

/** Somebody who knows the address, and not the key, claims that a prompt was paid; or calls with nonsense. */
export async function forge(world: World, { prompt: index, how }: { prompt: number; how: number }): Promise<void> {
  const prompt: Prompt | undefined = pick([...world.provider.prompts.values()], index);
  const variant = prompt?.variant ?? 'signed';
  const said: Said = { kind: 'paid', receipt: `FORGED${index}`, amount: prompt?.amount ?? 100 };
  const reference = how % 3 === 0 && prompt ? prompt.reference : 'NOBODYS';
  const content = how % 3 === 2 ? 'nonsense' : { reference, said };
  await call(world, variant, content, false);
  const { provider, callbackUrl } = world.accounts[variant];
  const token = `${callbackUrl.split('/').at(-1)}x`;
  const callback = { headers: { signature: 'genuine' }, body: encode(content) };
  const taken = await receiveCallback(world.worker(HONEST), { provider, token, callback });
  if (taken.ok) throw new Error('a callback with a wrong token was taken');
}

async function call(world: World, variant: Variant, content: unknown, signed: boolean): Promise<void> {
  const account = world.accounts[variant];
  const token = account.callbackUrl.split('/').at(-1) ?? '';
  const callback = { headers: signed ? { signature: 'genuine' } : {}, body: encode(content) };
  world.callbacks += 1;
  const taken = await receiveCallback(world.worker(HONEST), { provider: account.provider, token, callback });
  if (!taken.ok) throw new Error(`a callback was refused: ${taken.error.code}`);
}

/** A statement of one provider, up to its so many last transaction, is held against the ledger. */
export async function readStatement(world: World, { variant, lines }: { variant: number; lines: number }): Promise<void> {
  await reconcile(world, pick(VARIANTS, variant) ?? 'signed', lines);
}

/** @param lines how many of the provider's transactions the statement has; all of them when it has fewer. */
export async function reconcile(world: World, variant: Variant, lines: number): Promise<void> {
  const account = world.accounts[variant];
  const told = world.provider.transactions.filter((one) => one.variant === variant).slice(0, lines);
  const rows = told.map(({ receipt, kind, amount, at, reference, of }) =>
    [receipt, kind, (amount / 100).toFixed(2), at.toISOString(), kind === 'payment' ? reference : '', '', of ?? ''].join(','),
  );
  const bytes = new TextEncoder().encode([HEADER, ...rows].join('\n'));
  const now = world.runtime.clock();
  const reconciled = await reconcileStatement(world.worker(HONEST), {
    accountId: account.id,
    file: { name: 'statement.csv', bytes },
    format: 'canonical',
    period: { from: addMs(now, -YEAR_MS), to: addMs(now, YEAR_MS) },
    actor: 'model',
  });
  if (!reconciled.ok) throw new Error(`a statement was refused: ${reconciled.error.join(' ')}`);
  for (const { kind, receipt } of told) if (kind === 'payment') world.learned.add(receipt);
}

function payments(transactions: readonly Transaction[]): Transaction[] {
  return transactions.filter(({ kind }) => kind === 'payment');
}
