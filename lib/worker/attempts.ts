import { addMs } from '@/lib/core/clock';
import { type ClaimedAttempt, claimAttempts } from '@/lib/payments/attempts/claim-attempts';
import { LEASE_MS } from '@/lib/payments/attempts/hold-lease';
import { type WorkerRuntime, workAttempt } from '@/lib/payments/attempts/work-attempt';
import { type Pump, type PumpOptions, startPump } from './pump';

/**
 * Many, for some providers hold a call until the customer has answered, up to three minutes each: four accounts may have all
 * of their 50 connections from one worker; with more, run more workers. A call under way holds no connection of the database,
 * only its first and last steps need one: that many claimed at once get through a pool of 10 within a second or two.
 */
const AT_ONCE = 300;
/** How many of them may be of accounts with more than a few calls under way: the rest is kept for the other accounts. */
const CROWDED_AT_ONCE = 200;
/** A claim costs a few milliseconds of the database: when busy, so many pass before the next. */
const GAP_MS = 10;

interface AttemptsOptions extends Pick<PumpOptions<never>, 'log' | 'idleMs' | 'graceMs' | 'mayClaim'> {
  /** For tests. */
  readonly atOnce?: number;
  readonly crowdedAtOnce?: number;
}

/** Starts what sends prompts and asks what became of them. */
export function startAttempts(
  runtime: WorkerRuntime,
  { atOnce = AT_ONCE, crowdedAtOnce = CROWDED_AT_ONCE, ...common }: AttemptsOptions,
): Pump {
  const { db, clock } = runtime;
  let crowded = 0;

  async function work(attempt: ClaimedAttempt, signal: AbortSignal): Promise<void> {
    if (attempt.crowded) crowded += 1;
    try {
      await workAttempt(runtime, attempt, signal);
    } finally {
      if (attempt.crowded) crowded -= 1;
    }
  }

  return startPump({
    ...common,
    name: 'attempts',
    concurrency: atOnce,
    gapMs: GAP_MS,
    claim: (limit) =>
      claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit, crowdedLimit: crowdedAtOnce - crowded }),
    work,
  });
}
