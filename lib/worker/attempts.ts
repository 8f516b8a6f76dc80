import { addMs } from '@/lib/core/clock';
import { type ClaimedAttempt, claimAttempts } from '@/lib/payments/attempts/claim-attempts';
import { LEASE_MS } from '@/lib/payments/attempts/hold-lease';
import { type WorkerRuntime, workAttempt } from '@/lib/payments/attempts/work-attempt';
import { type Pump, type PumpSettings, startPump } from './pump';

/** How many may be of accounts with more than a few calls under way: the rest is kept for the other accounts. */
const CROWDED_AT_ONCE = 200;
/** A claim costs a few milliseconds of the database: when busy, so many pass before the next. */
const GAP_MS = 10;

interface AttemptsSettings extends PumpSettings {
  /** For tests. */
  readonly crowdedAtOnce?: number;
}

/** Starts what sends prompts and asks what became of them. */
export function startAttempts(runtime: WorkerRuntime, { crowdedAtOnce = CROWDED_AT_ONCE, ...settings }: AttemptsSettings): Pump {
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
    ...settings,
    gapMs: GAP_MS,
    claim: (limit) =>
      claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit, crowdedLimit: crowdedAtOnce - crowded }),
    work,
  });
}
