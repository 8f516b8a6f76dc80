import { addMs } from '@/lib/core/clock';
import type { WorkerRuntime } from '@/lib/payments/attempts/call-provider';
import { type ClaimedAttempt, claimAttempts } from '@/lib/payments/attempts/claim-attempts';
import { LEASE_MS } from '@/lib/payments/attempts/hold-lease';
import { workAttempt } from '@/lib/payments/attempts/work-attempt';
import { claimGap, type Pump, type PumpSettings, startPump } from './pump';

/**
 * The maximum number of crowded attempts that one worker works on at once. An attempt is crowded if its account already has five calls in
 * progress. The limit leaves slots for less busy accounts.
 */
const CROWDED_AT_ONCE = 200;

interface AttemptsSettings extends PumpSettings {
  /** Replaces CROWDED_AT_ONCE. Set by tests only. */
  readonly crowdedAtOnce?: number;
}

/** Starts the pump that sends prompts and queries their outcome. */
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
    gapMs: claimGap,
    claim: (limit) =>
      claimAttempts(db, { now: clock(), leaseUntil: addMs(clock(), LEASE_MS), limit, crowdedLimit: crowdedAtOnce - crowded }),
    work,
  });
}
