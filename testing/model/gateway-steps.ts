import { claimAttempts } from '@/lib/gateway/attempts/claim-attempts';
import { LEASE_MS } from '@/lib/gateway/attempts/hold-lease';
import { queryAttempt } from '@/lib/gateway/attempts/query-attempt';
import { releaseAttempt } from '@/lib/gateway/attempts/release-attempt';
import { workAttempt } from '@/lib/gateway/attempts/work-attempt';
import { createBill } from '@/lib/gateway/bills/create/create-bill';
import { applyMessage } from '@/lib/gateway/callbacks/apply-message';
import { claimInstruments } from '@/lib/gateway/instruments/store';
import { workInstrument } from '@/lib/gateway/instruments/work-instrument';
import { claimMessages } from '@/lib/gateway/messages/message-store';
import { SMALLEST_PART } from '@/lib/gateway/prompts/decide-prompt';
import { requestPrompt } from '@/lib/gateway/prompts/request-prompt';
import { claimRefunds } from '@/lib/gateway/refund-states/store';
import { workRefund } from '@/lib/gateway/refunds/work-refund';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { parseMobile } from '@/lib/platform/core/mobile';
import { newBill } from '@/testing/data/new-bill';
import { accessTo, MODEL } from './actor';
import { type Fault, NO_FAULT } from './faults';
import { MOBILES } from './stage';
import { HONEST, type Script, SKEWS_MS, type World } from './world';

const NEVER_ABORTED = new AbortController().signal;
const AMOUNTS = [1000, 2500.5, 7, 3400.25] as const;
const JUMPS = [SECOND_MS, 5 * SECOND_MS, 40 * SECOND_MS, 3 * MINUTE_MS, 16 * MINUTE_MS, 2 * HOUR_MS, DAY_MS, 73 * HOUR_MS] as const;

/** Returns the item that a small number selects, or undefined if there is none. */
export function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % Math.max(items.length, 1)];
}

/** Returns a part of an amount in whole shillings: 0 all, 1 half, 2 one shilling, 3 one shilling too much. */
export function partOf(amount: number, part: number): bigint {
  const whole = BigInt(amount);
  return [whole, (whole / 200n) * 100n, 100n, whole + 100n][part % 4] ?? whole;
}

/** Returns the same as `partOf`, but null for the whole amount. */
export const nullable = (amount: number, part: number) => (part % 4 === 0 ? null : partOf(amount, part));

export async function create(
  world: World,
  { amount, mobile, merchant }: { amount: number; mobile: number; merchant: number },
): Promise<void> {
  const { runtime } = world;
  const owner = pick(world.merchants, merchant);
  // One value of `mobile` selects no number. Then the bill has no mobile number and is paid on its page.
  const number = MOBILES[mobile % (MOBILES.length + 1)] ?? null;
  const shillings = pick(AMOUNTS, amount);
  if (!owner || shillings === undefined) throw new Error('the model made a bill of no merchant or amount');
  const bill = newBill(runtime, { amount: shillings, reference: `ORDER-${world.books.bills.length}`, mobile: number });
  const scope = owner.scope('sandbox');
  await createBill(runtime, { scope, bill, createdBy: 'model', uniqueReferences: false, idempotencyKey: null });
}

/**
 * A customer requests a prompt on the payment page.
 * @param part 0 the remaining amount, 1 half of it, 2 the smallest part that is allowed, 3 one shilling too much.
 * @param form 0 a new form, 1 or 2 a form that may be sent several times.
 */
export async function push(
  world: World,
  { bill: index, mobile, part, form }: { bill: number; mobile: number; part: number; form: number },
): Promise<void> {
  const bill = pick(world.books.bills, index);
  const number = parseMobile(pick(MOBILES, mobile) ?? '');
  if (!bill || !number) return;
  const left = BigInt(Math.max(Math.ceil(bill.amount / 100) * 100 - bill.paid_amount - bill.reserved_amount, 0));
  const amount = [left, (left / 200n) * 100n, SMALLEST_PART, left + 100n][part % 4] ?? left;
  const formId = form === 0 ? null : `form-${form}`;
  const asked = await requestPrompt(world.runtime, { environment: 'sandbox', billId: bill.id, mobile: number, amount, formId });
  if (asked.kind === 'closed') world.turnedAway.add(bill.id);
}

/** Work that is due at a time. While a worker has a lease, no other worker can claim the work. */
interface Due {
  readonly due_at: string | null;
  readonly lease_until: string | null;
  readonly lapsed_leases?: number;
}

/**
 * Returns when a row can be claimed next, in milliseconds; infinity if never. Each expired lease makes the pause before the next claim
 * longer.
 */
export function dueAt({ due_at, lease_until, lapsed_leases = 0 }: Due): number {
  if (due_at === null) return Number.POSITIVE_INFINITY;
  const rest = (2 ** Math.min(lapsed_leases, 7) - 1) * LEASE_MS;
  return Math.max(Date.parse(due_at), lease_until === null ? 0 : Date.parse(lease_until) + rest);
}

/** Advances the clock to the time at which the first of the rows is due, if that is less than two hours away. */
export function waitForOne(world: World, rows: readonly Due[]): void {
  const wait = Math.min(...rows.map(dueAt)) - world.runtime.clock().getTime();
  if (wait > 0 && wait < 2 * HOUR_MS) world.advance(wait);
}

/** A claimed row. */
export interface Claimed {
  readonly id: string;
  /** Does the due work. */
  work(script: Script, fault?: Fault): Promise<void>;
}

/** A worker claims a due attempt, and its call follows the script. */
export async function work(world: World, script: Script): Promise<void> {
  waitForOne(world, world.books.attempts);
  for (const attempt of await claim(world, 1, script)) await attempt.work(script);
}

/** Like `work`, but the worker dies during a database statement, or the database fails. */
export async function workFaulty(world: World, { kind, at, ...script }: Script & Fault): Promise<void> {
  waitForOne(world, world.books.attempts);
  for (const attempt of await claim(world, 1, script)) await attempt.work(script, { kind, at });
}

/** Does all due work without faults. Returns the number of items. */
export async function workAll(world: World): Promise<number> {
  const due = [...(await claim(world, 50)), ...(await claimDueRefunds(world, 50)), ...(await claimDueInstruments(world, 50))];
  for (const one of due) await one.work(HONEST);
  return due.length + (await applyMessages(world, NO_FAULT));
}

/** Like `workAll`, but skips each kind of work that had nothing due when `world.books` was last read. */
export async function workDue(world: World): Promise<number> {
  const now = world.runtime.clock().getTime();
  const { attempts, refunds, instruments, unhandled } = world.books;
  const isDue = (rows: readonly Due[]) => rows.some((row) => dueAt(row) <= now);
  const due = [
    ...(isDue(attempts) ? await claim(world, 50) : []),
    ...(isDue(refunds) ? await claimDueRefunds(world, 50) : []),
    ...(isDue(instruments) ? await claimDueInstruments(world, 50) : []),
  ];
  for (const one of due) await one.work(HONEST);
  return due.length + (isDue(unhandled) ? await applyMessages(world, NO_FAULT) : 0);
}

/** A worker applies stored messages. Returns the number of messages. */
async function applyMessages(world: World, fault: Fault): Promise<number> {
  const { db, clock } = world.runtime;
  const messages = await claimMessages(db, { now: clock(), limit: 50 });
  for (const message of messages) {
    await applyMessage(world.process(HONEST, fault), message);
    world.watch.applied(message.attemptId ?? message.refundId ?? message.instrumentId, message.leaseToken);
  }
  return messages.length;
}

export async function workMessages(world: World, fault: Fault): Promise<void> {
  waitForOne(world, world.books.unhandled);
  await applyMessages(world, fault);
}

export async function workOn(world: World): Promise<void> {
  await workAll(world);
}

/** A worker claims an attempt and stops, perhaps forever. */
export async function hold(world: World): Promise<void> {
  world.held.push(...(await claim(world, 1)));
}

export async function holdRefund(world: World): Promise<void> {
  world.held.push(...(await claimDueRefunds(world, 1)));
}

export async function holdInstrument(world: World): Promise<void> {
  world.held.push(...(await claimDueInstruments(world, 1)));
}

/** A worker that stopped in `hold`, `holdRefund` or `holdInstrument` continues: it was only slow, not dead. */
export async function goOn(world: World, { index, ...script }: Script & { index: number }): Promise<void> {
  const held = pick(world.held, index);
  if (!held) return;
  world.held.splice(world.held.indexOf(held), 1);
  await held.work(script);
}

/** A worker gets the answer to a hanging call and continues. */
export async function comeBack(world: World, { index }: { index: number }): Promise<void> {
  const hanging = pick(world.hanging, index);
  if (!hanging) return;
  world.hanging.splice(world.hanging.indexOf(hanging), 1);
  hanging.resume();
  await hanging.task;
}

export async function workRefunds(world: World, script: Script): Promise<void> {
  waitForOne(world, world.books.refunds);
  for (const refund of await claimDueRefunds(world, 1, script)) await refund.work(script);
}

export async function workInstruments(world: World, { kind, at, ...script }: Script & Fault): Promise<void> {
  waitForOne(world, world.books.instruments);
  for (const instrument of await claimDueInstruments(world, 1, script)) await instrument.work(script, { kind, at });
}

export async function jump(world: World, { far }: { far: number }): Promise<void> {
  world.advance(pick(JUMPS, far) ?? 0);
}

export async function release(world: World, { attempt: index }: { attempt: number }): Promise<void> {
  const attempt = pick(
    world.books.attempts.filter(({ state }) => state === 'UNKNOWN'),
    index,
  );
  if (!attempt) return;
  const bill = world.books.bills.find(({ id }) => id === attempt.bill_id);
  if (!bill) throw new Error('an attempt has no bill');
  await releaseAttempt(world.runtime, accessTo(bill), { attemptId: attempt.id, reason: 'the customer waits' });
}

/** Advances the clock by 16 minutes and releases an attempt. After this time, an unknown attempt can be released (`RELEASE_AFTER_MS`). */
export async function releaseLater(world: World, choice: { attempt: number }): Promise<void> {
  world.advance(16 * MINUTE_MS);
  await release(world, choice);
}

export async function ask(world: World, { attempt: index }: { attempt: number }): Promise<void> {
  const attempt = pick(world.books.attempts, index);
  if (attempt) await queryAttempt(world.runtime, { attemptId: attempt.id, actor: MODEL });
}

/** One worker claims due attempts. Its clock is wrong by `SKEWS_MS[skew]`. */
export async function claim(world: World, limit: number, { skew = 0 }: Partial<Script> = {}): Promise<Claimed[]> {
  const now = addMs(world.runtime.clock(), SKEWS_MS[skew] ?? 0);
  const attempts = await claimAttempts(world.runtime.db, { now, leaseUntil: addMs(now, LEASE_MS), limit });
  return Promise.all(
    attempts.map(async (attempt): Promise<Claimed> => {
      const held = await world.watch.claimed(attempt, now);
      const work: Claimed['work'] = (script, fault = NO_FAULT) =>
        world.run((runtime) => workAttempt(runtime, attempt, NEVER_ABORTED), { script, claim: held, fault });
      return { id: attempt.id, work };
    }),
  );
}

async function claimDueRefunds(world: World, limit: number, { skew = 0 }: Partial<Script> = {}): Promise<Claimed[]> {
  const now = addMs(world.runtime.clock(), SKEWS_MS[skew] ?? 0);
  const refunds = await claimRefunds(world.runtime.db, { now, leaseUntil: addMs(now, LEASE_MS), limit });
  return Promise.all(
    refunds.map(async (refund): Promise<Claimed> => {
      const held = await world.watch.claimed(refund, now);
      const work: Claimed['work'] = (script, fault = NO_FAULT) =>
        world.run((runtime) => workRefund(runtime, refund, NEVER_ABORTED), { script, claim: held, fault });
      return { id: refund.id, work };
    }),
  );
}

async function claimDueInstruments(world: World, limit: number, { skew = 0 }: Partial<Script> = {}): Promise<Claimed[]> {
  const now = addMs(world.runtime.clock(), SKEWS_MS[skew] ?? 0);
  const instruments = await claimInstruments(world.runtime.db, { now, leaseUntil: addMs(now, LEASE_MS), limit });
  return Promise.all(
    instruments.map(async (instrument): Promise<Claimed> => {
      const held = await world.watch.claimed(instrument, now);
      const work: Claimed['work'] = (script, fault = NO_FAULT) =>
        world.run((runtime) => workInstrument(runtime, instrument, NEVER_ABORTED), { script, claim: held, fault });
      return { id: instrument.id, work };
    }),
  );
}
