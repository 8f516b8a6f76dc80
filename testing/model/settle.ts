import { verifyLedger } from '@/lib/gateway/ledger/verify-ledger';
import { isOpen } from '@/lib/gateway/payments/rules';
import { HOUR_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { TILLS, variantOf } from '../fakes/fake-record';
import { type Books, readBooks } from './books';
import { deliverNotice } from './callback-steps';
import { comeBack, dueAt, workDue } from './gateway-steps';
import { findMissedInstrumentMoney } from './instrument-invariants';
import { findLedgerWrongs, isOpenRefund, sum } from './ledger-invariants';
import { findUntold } from './liveness';
import { correctMistakes } from './operator-steps';
import { readWholeStatement } from './statement-steps';
import { wrongPushes, wrongReviews } from './step-invariants';
import type { World } from './world';

/** The number of rounds in which the clock advances to the next due time. In each later round, the clock advances by 73 hours. */
const PATIENCE = 24;
const ROUNDS = 60;

/**
 * Completes everything that is in progress: hanging calls return, prompts expire, the workers work until nothing is due. Then reconciles
 * all statements. Returns a sentence for each violation that existed before the statements were reconciled.
 * @param callbacks whether undelivered callbacks are delivered before the statements are reconciled.
 */
export async function settle(world: World, callbacks: boolean): Promise<string[]> {
  while (world.hanging.length > 0) await comeBack(world, { index: 0 });
  world.held.length = 0;
  world.books = await readBooks(world.runtime.db);
  await drain(world, callbacks);
  for (const learn of world.owed) learn();
  const uncorrected = world.mistaken.size === 0 ? [] : await correctMistakes(world);
  world.books = await readBooks(world.runtime.db);
  const untold = [...uncorrected, ...findUntold(world), ...findMissedInstrumentMoney(world), ...findLedgerWrongs(world)];
  for (const till of TILLS) await readWholeStatement(world, till);
  await drain(world, true);
  return untold;
}

async function drain(world: World, callbacks: boolean): Promise<void> {
  const { provider } = world;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const prompt of provider.prompts.values()) if (prompt.status === 'asking') provider.expire(prompt);
    for (const reference of provider.refundRequests.keys()) provider.completeRefund(reference);
    for (const instrument of provider.instruments.values()) instrument.isOpen = false;
    if (callbacks) for (const notice of provider.notices) if (!notice.delivered) await deliverNotice(world, notice);
    world.books = await readBooks(world.runtime.db);
    const before = world.books;
    world.sent.length = 0;
    const done = await workDue(world);
    world.books = await readBooks(world.runtime.db);
    const wrongs = wrongPushes(world, before);
    if (wrongs.length > 0) throw new Error(`while everything ends: ${wrongs.join('; ')}`);
    if (done > 0) continue;
    const { attempts, refunds, instruments, unhandled } = world.books;
    const next = Math.min(...[...attempts, ...refunds, ...instruments, ...unhandled].map(dueAt));
    if (next === Number.POSITIVE_INFINITY) return;
    const wait = Math.max(next - world.runtime.clock().getTime(), 0) + SECOND_MS;
    world.advance(round < PATIENCE ? wait : 73 * HOUR_MS);
  }
  throw new Error('the workers never come to an end');
}

/** Checks that the ledger equals the provider's record to the senti, and that each attempt or refund without outcome has a review. */
export async function findEndWrongs(world: World): Promise<string[]> {
  const { books, provider, contradicted } = world;
  const breaches = (await verifyLedger(world.runtime.db)).filter(({ count }) => count > 0);
  const payments = books.payments.filter(({ kind }) => kind === 'payment');
  const booked = new Set(
    payments.map(({ provider_account_id, provider_transaction_id }) => `${world.tillOf(provider_account_id)} ${provider_transaction_id}`),
  );
  const missing = provider.transactions.filter(({ kind, till, receipt }) => kind === 'payment' && !booked.has(`${till} ${receipt}`));
  const open = books.attempts.filter(({ id, state }) => {
    if (!isOpen(state)) return false;
    return state !== 'UNKNOWN' || !books.reviews.some(({ kind, attempt_id }) => kind === 'attempt_unresolved' && attempt_id === id);
  });
  // If the provider did not report how much it reversed, the ledger is allowed to be wrong, provided that a statement has shown the
  // difference and opened a review.
  const guessed = findGuessed(world);
  const paymentOf = new Map(books.payments.map(({ id, reverses_id }) => [id, reverses_id ?? id]));
  const asked = new Set(
    books.reviews.filter(({ kind }) => kind === 'statement_differs').map(({ payment_id }) => paymentOf.get(payment_id ?? '')),
  );
  const unbooked = payments.filter(({ id, provider_account_id, provider_transaction_id: receipt }) => {
    const till = world.tillOf(provider_account_id);
    const sentBack = sum(books.payments.filter(({ kind, reverses_id }) => kind === 'reversal' && reverses_id === id));
    return sentBack !== sum(provider.reversalsOf(till, receipt)) && !(guessed.has(`${till} ${receipt}`) && asked.has(id));
  });
  const unreviewed = [...contradicted].filter((reference) => {
    const attempt = books.attempts.find(({ our_reference }) => our_reference === reference);
    return !books.reviews.some(({ kind, attempt_id }) => kind === 'contradiction' && attempt_id === attempt?.id);
  });
  const isReviewed = (refund: Books['refunds'][number]) =>
    books.reviews.some(({ reversal_request_id, resolved_at }) => reversal_request_id === refund.id && resolved_at === null);
  const unreviewedRefunds = books.refunds.filter(
    (refund) => ['QUEUED', 'SENDING', 'UNKNOWN'].includes(refund.state) && !isReviewed(refund),
  );
  // The provider paid out, and its answer was lost or had another amount. Bili books such a payout when a person settles the refund.
  const unsettled = new Set(books.refunds.filter((refund) => isOpenRefund(refund) && isReviewed(refund)).map((one) => one.our_reference));
  const unequal = TILLS.filter((till) => {
    const theirs = balance(provider.transactions.filter((one) => one.till === till && !unsettled.has(one.reference)));
    const ours = balance(books.payments.filter(({ provider_account_id }) => world.tillOf(provider_account_id) === till));
    return theirs !== ours && !(till === 'unsigned' && guessed.size > 0);
  });
  return [
    ...(books.unhandled.length === 0 ? [] : [`${books.unhandled.length} messages are stored and not applied`]),
    ...wrongReviews(world),
    ...breaches.map(({ holds, first }) => `bili doctor: not so: ${holds} ${first[0]?.detail}`),
    ...missing.map(({ receipt }) => `${receipt} is not in the ledger`),
    ...open.map(({ our_reference, state }) => `${our_reference} ends in ${state}, and no person is asked`),
    ...unbooked.map(({ provider_transaction_id: receipt }) => `of ${receipt} not what went back is booked as that`),
    ...unreviewed.map((reference) => `the provider denied ${reference} after it was paid, and no person is asked`),
    ...unreviewedRefunds.map(({ our_reference, state }) => `refund ${our_reference} ends in ${state}, and no person is asked`),
    ...unequal.map((till) => `the ledger has another sum than ${till}`),
  ];
}

/**
 * Returns payments of which the gateway cannot know how much was reversed, because the provider's reports contain no amount. If the gateway
 * requested a partial reversal and somebody else reversed another part at the same time, the report looks like a report of the requested
 * reversal.
 */
function findGuessed({ books, provider, guessed, tillOf }: World): ReadonlySet<string> {
  const asked = books.payments.filter(({ id, provider_account_id, provider_transaction_id: receipt }) => {
    const wentBack = sum(provider.reversalsOf(tillOf(provider_account_id), receipt));
    return books.refunds.some(({ payment_id, amount }) => payment_id === id && wentBack > 0 && amount !== wentBack);
  });
  const names = asked.map((one) => [tillOf(one.provider_account_id), one.provider_transaction_id] as const);
  return new Set([...guessed, ...names.filter(([till]) => variantOf(till) === 'unsigned').map((name) => name.join(' '))]);
}

/** Returns payments less what went back. */
function balance(rows: readonly { readonly kind: string; readonly amount: number }[]): number {
  return rows.reduce((total, { kind, amount }) => total + (kind === 'payment' ? amount : -amount), 0);
}
