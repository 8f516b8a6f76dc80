import { HOUR_MS, SECOND_MS } from '@/lib/core/clock';
import { isOpen } from '@/lib/payments/state';
import { verifyLedger } from '@/lib/payments/verify-ledger';
import { readBooks } from './books';
import { comeBack, dueAt, workAll } from './gateway-steps';
import { sum } from './ledger-invariants';
import { deliverNotice, reconcile } from './provider-steps';
import { VARIANTS, type World } from './world';

/** Rounds of work after which what is still open waits for days. */
const PATIENCE = 24;
const ROUNDS = 60;

/**
 * Lets everything come to an end: calls that hang come back, prompts run out, what is owed is delivered, the workers do what
 * is due until nothing is, and at last the providers' whole statements are read.
 */
export async function settle(world: World): Promise<void> {
  while (world.hanging.length > 0) await comeBack(world, { index: 0 });
  world.held.length = 0;
  world.books = await readBooks(world.runtime.db);
  await drain(world);
  for (const variant of VARIANTS) await reconcile(world, variant, world.provider.transactions.length);
  await drain(world);
}

async function drain(world: World): Promise<void> {
  const { provider } = world;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const prompt of provider.prompts.values()) if (prompt.status === 'asking') provider.expire(prompt);
    for (const request of provider.sendingBack.values()) provider.sendBack(request);
    for (const notice of provider.notices) if (!notice.delivered) await deliverNotice(world, notice);
    const done = await workAll(world);
    world.books = await readBooks(world.runtime.db);
    if (done > 0) continue;
    const next = Math.min(...[...world.books.attempts, ...world.books.requests].map(dueAt));
    if (next === Number.POSITIVE_INFINITY) return;
    const wait = Math.max(next - world.runtime.clock().getTime(), 0) + SECOND_MS;
    world.advance(round < PATIENCE ? wait : 73 * HOUR_MS);
  }
  throw new Error('the workers never come to an end');
}

/** What must hold in the end: the ledger is what the provider says, to the senti; and what nobody knows, a person is asked. */
export async function findEndWrongs(world: World): Promise<string[]> {
  const { books, provider, accounts, contradicted } = world;
  const breaches = (await verifyLedger(world.runtime.db)).filter(({ count }) => count > 0);
  const payments = books.payments.filter(({ kind }) => kind === 'payment');
  const missing = provider.transactions
    .filter(({ kind }) => kind === 'payment')
    .filter(
      ({ receipt, variant }) =>
        !payments.some((one) => one.provider_transaction_id === receipt && one.provider_account_id === accounts[variant].id),
    );
  const open = books.attempts.filter(({ id, state }) => {
    if (!isOpen(state)) return false;
    return state !== 'UNKNOWN' || !books.reviews.some(({ kind, attempt_id }) => kind === 'attempt_unresolved' && attempt_id === id);
  });
  // Where the provider named no amounts, the ledger may be wrong until its statement says so, and a person is asked.
  const paymentOf = new Map(books.payments.map(({ id, reverses_id }) => [id, reverses_id ?? id]));
  const asked = new Set(
    books.reviews.filter(({ kind }) => kind === 'statement_differs').map(({ payment_id }) => paymentOf.get(payment_id ?? '')),
  );
  const unbooked = payments.filter(({ id, provider_transaction_id: receipt }) => {
    const booked = sum(books.payments.filter(({ reverses_id }) => reverses_id === id));
    return booked !== sum(provider.reversalsOf(receipt)) && !asked.has(id);
  });
  const unreviewed = [...contradicted].filter((reference) => {
    const attempt = books.attempts.find(({ our_reference }) => our_reference === reference);
    return !books.reviews.some(({ kind, attempt_id }) => kind === 'contradiction' && attempt_id === attempt?.id);
  });
  const requests = books.requests.filter(({ id, state }) => {
    const settled = state === 'SUCCEEDED' || state === 'FAILED';
    return !settled && !books.reviews.some(({ reversal_request_id, resolved_at }) => reversal_request_id === id && resolved_at === null);
  });
  const theirs = provider.transactions.reduce((total, { kind, amount }) => total + (kind === 'payment' ? amount : -amount), 0);
  const ours = books.payments.reduce((total, { kind, amount }) => total + (kind === 'payment' ? amount : -amount), 0);
  return [
    ...breaches.map(({ holds, first }) => `bili doctor: not so: ${holds} ${first[0]?.detail}`),
    ...missing.map(({ receipt }) => `${receipt} is not in the ledger`),
    ...open.map(({ our_reference, state }) => `${our_reference} ends in ${state}, and no person is asked`),
    ...unbooked.map(({ provider_transaction_id: receipt }) => `of ${receipt} not what went back is booked as that`),
    ...unreviewed.map((reference) => `the provider denied ${reference} after it was paid, and no person is asked`),
    ...requests.map(({ our_reference, state }) => `reversal ${our_reference} ends in ${state}, and no person is asked`),
    ...(asked.size === 0 && theirs !== ours ? [`the providers have ${theirs}, the ledger has ${ours}`] : []),
  ];
}
