import {
  type Access,
  type AccessRefusal,
  authorize,
  type KeyAccess,
  type MerchantAccess,
} from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Scope } from '@/lib/platform/core/scope';
import { createFairQueue, type FairQueue } from '@/lib/platform/queues/fair-queue';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findDelay, findUpcoming, type MovedBatch, moveBills, moveEndpoint, movePrompts, moveWebhooks, type UpcomingTimes } from './store';
import {
  ADVANCE_MAX_SECONDS,
  firstPosition,
  formatPosition,
  nextKind,
  parsePosition,
  type SandboxTime,
  type TimePosition,
} from './time-schema';

interface TimeChange {
  /** By how many seconds everything that is due in the sandbox becomes due earlier; null to move nothing. */
  readonly advanceSeconds: number | null;
  /** The new delays in percent of the usual ones; null to keep the present delays. */
  readonly delayPercent: number | null;
  /** The position at which an earlier call with the same `advanceSeconds` ended; null or undefined for the first call. */
  readonly after?: TimePosition | null;
}

/** The maximum number of rows whose times one transaction makes earlier. */
const BATCH = 1_000;
/** The maximum number of rows whose times one call makes earlier: about a second of work. */
const ADVANCE_LIMIT = 10_000;
const MOVES = { paymentRequests: movePrompts, bills: moveBills, webhooks: moveWebhooks };
const NOTHING: Pick<SandboxTime, 'moved' | 'more' | 'cursor'> = {
  moved: { bills: 0, paymentRequests: 0, webhooks: 0 },
  more: false,
  cursor: null,
};

declare global {
  // Several bundles of one process contain this module. A module variable would exist once per bundle.
  var biliTimeQueue: FairQueue | undefined;
}

/**
 * Returns the queue of this process for batches. One runs at a time, and merchants take turns, so that the sandbox never uses more than one
 * database connection for this, however many requests there are.
 */
function timeQueue(): FairQueue {
  globalThis.biliTimeQueue ??= createFairQueue({ concurrency: 1, waitingOfOne: 20, waiting: 200, waitMs: 5 * SECOND_MS });
  return globalThis.biliTimeQueue;
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

/**
 * Controls the time of a merchant's sandbox. The clock itself does not move. Instead, the due times of everything in the sandbox become
 * earlier, and the workers find what is then due.
 */
export async function controlTime(
  runtime: Needs,
  access: Access | KeyAccess,
  { advanceSeconds, delayPercent, after = null }: TimeChange,
): Promise<Result<SandboxTime, AccessRefusal | 'live'>> {
  const refusal = authorize(access, 'bills.change');
  if (refusal) return fail(refusal);
  if (access.scope.environment === 'live') return fail('live');
  if (delayPercent !== null) await changeDelay(runtime, access, delayPercent);
  const advanced = advanceSeconds === null ? NOTHING : await advance(runtime, access, { seconds: advanceSeconds, after });
  return ok({ delayPercent: await findDelay(runtime.db, access.scope), ...advanced });
}

async function changeDelay(runtime: Needs, { scope, actor }: Access | KeyAccess, delayPercent: number): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const before = await findDelay(tx, scope);
    if (before === delayPercent) return;
    const { merchantId, environment } = scope;
    const where = { merchantId_environment: { merchantId, environment } };
    await tx.prisma.sandboxSettings.upsert({ where, create: { merchantId, environment, delayPercent }, update: { delayPercent } });
    const data = { before: { delayPercent: before }, after: { delayPercent } };
    await recordEntry(runtime, { ...scope, actor, action: 'sandbox.delay_changed', subject: scope.merchantId, data }, tx);
  });
}

/**
 * Makes the times of payment requests, bills and webhooks earlier, at most `ADVANCE_LIMIT` rows in all, or fewer if too many others do the
 * same at the moment. Each batch of rows has its own transaction. The audit entry is written first, so that a crash leaves no change without an entry.
 */
async function advance(
  runtime: Needs,
  { scope, actor }: Access | KeyAccess,
  { seconds, after }: { readonly seconds: number; readonly after: TimePosition | null },
): Promise<Pick<SandboxTime, 'moved' | 'more' | 'cursor'>> {
  const { db, clock } = runtime;
  const now = clock();
  await db.transaction(async (tx) => {
    const data = { advanceSeconds: seconds };
    await recordEntry(runtime, { ...scope, actor, action: 'sandbox.time_advanced', subject: scope.merchantId, data }, tx);
    if (after === null) await moveEndpoint(tx, scope, seconds);
  });
  const moved = { bills: 0, paymentRequests: 0, webhooks: 0 };
  let left = ADVANCE_LIMIT;
  let position: TimePosition | null = after ?? firstPosition(now);
  while (position && left > 0) {
    const { kind, at }: TimePosition = position;
    const limit = Math.min(BATCH, left);
    const batch: MovedBatch | undefined = await moveNext(db, scope, position, { seconds, now, limit });
    if (!batch) break;
    moved[kind] += batch.moved;
    left -= batch.found;
    const isLast = batch.found < limit || batch.lastId === null;
    position = isLast ? nextKind(position, now) : { kind, at: batch.lastAt ?? at, id: batch.lastId };
  }
  return { moved, more: position !== null, cursor: position && formatPosition(position) };
}

/** Moves the next batch when its turn comes. Returns undefined if too many others wait. */
function moveNext(
  db: Needs['db'],
  scope: Scope,
  { kind, at, id }: TimePosition,
  how: { readonly seconds: number; readonly now: Date; readonly limit: number },
): Promise<MovedBatch | undefined> {
  return timeQueue().run(scope.merchantId, () => MOVES[kind](db, scope, { ...how, at, id }));
}

/** Makes everything in a merchant's sandbox happen earlier: calls `controlTime` until nothing is left to move. */
export async function advanceAll(
  runtime: Needs,
  access: Access,
  seconds: number,
): Promise<Result<SandboxTime['moved'], AccessRefusal | 'live'>> {
  const moved = { bills: 0, paymentRequests: 0, webhooks: 0 };
  let after: TimePosition | null = null;
  do {
    const changed: Awaited<ReturnType<typeof controlTime>> = await controlTime(runtime, access, {
      advanceSeconds: seconds,
      delayPercent: null,
      after,
    });
    if (!changed.ok) return changed;
    const { moved: also, cursor } = changed.value;
    moved.bills += also.bills;
    moved.paymentRequests += also.paymentRequests;
    moved.webhooks += also.webhooks;
    after = cursor === null ? null : parsePosition(cursor);
  } while (after);
  return ok(moved);
}

/** What can be brought forward in a sandbox, in the order of the page. */
export const UPCOMING_KINDS = ['phones', 'webhooks', 'expiry', 'dueDates'] as const satisfies readonly (keyof UpcomingTimes)[];
type UpcomingKind = (typeof UPCOMING_KINDS)[number];

export interface SandboxTimeView {
  readonly delayPercent: number;
  /** For each kind, the seconds until something of this kind happens next; null if nothing of this kind is to come. */
  readonly upcoming: Readonly<Record<UpcomingKind, number | null>>;
}

/** Returns how long the delays of a merchant's sandbox are and when the next events happen in it, for members who may change bills. */
export async function showTime(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
): Promise<Result<SandboxTimeView, AccessRefusal | 'live'>> {
  const refusal = authorize(access, 'bills.change');
  if (refusal) return fail(refusal);
  if (access.scope.environment === 'live') return fail('live');
  const now = clock();
  const times = await findUpcoming(db, access.scope, now);
  const seconds = (kind: UpcomingKind) => secondsUntil(kind, times[kind], now);
  const upcoming = { phones: seconds('phones'), webhooks: seconds('webhooks'), expiry: seconds('expiry'), dueDates: seconds('dueDates') };
  return ok({ delayPercent: await findDelay(db, access.scope), upcoming });
}

/**
 * Brings everything in a sandbox forward by the time until something of the given kind happens next. Returns this time in seconds, and how
 * many rows were moved.
 */
export async function advanceToNext(
  runtime: Needs,
  access: MerchantAccess,
  kind: UpcomingKind,
): Promise<Result<{ readonly seconds: number; readonly moved: SandboxTime['moved'] }, AccessRefusal | 'live' | 'nothing_waits'>> {
  const shown = await showTime(runtime, access);
  if (!shown.ok) return shown;
  const seconds = shown.value.upcoming[kind];
  if (seconds === null) return fail('nothing_waits');
  const moved = await advanceAll(runtime, access, seconds);
  return moved.ok ? ok({ seconds, moved: moved.value }) : moved;
}

/** Returns the seconds until `time`. Due dates move by whole days, so the time until a due date is rounded up to whole days. */
function secondsUntil(kind: UpcomingKind, time: Date | null, now: Date): number | null {
  if (time === null) return null;
  const unit = kind === 'dueDates' ? DAY_MS : SECOND_MS;
  const units = Math.ceil((time.getTime() - now.getTime()) / unit);
  return Math.min((units * unit) / SECOND_MS, ADVANCE_MAX_SECONDS);
}
