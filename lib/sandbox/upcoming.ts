import { type AccessRefusal, authorize, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { DAY_MS, SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { advanceAll } from './control-time';
import { ADVANCE_MAX_SECONDS, type SandboxTime } from './time-schema';
import { findDelay } from './time-store';
import { findUpcoming, type UpcomingTimes } from './upcoming-store';

/** What can be brought forward in a sandbox, in the order of the page. */
export const UPCOMING_KINDS = ['phones', 'webhooks', 'expiry', 'dueDates'] as const satisfies readonly (keyof UpcomingTimes)[];
type UpcomingKind = (typeof UPCOMING_KINDS)[number];

export interface SandboxTimeView {
  readonly delayPercent: number;
  /** For each kind, the seconds until something of this kind happens next; null if nothing of this kind is to come. */
  readonly upcoming: Readonly<Record<UpcomingKind, number | null>>;
}

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;

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
