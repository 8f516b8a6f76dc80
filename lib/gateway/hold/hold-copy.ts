import { REPEAT_MAX_MS } from '@/lib/gateway/payments/rules';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Actor } from '@/lib/platform/core/actor';
import { addMs } from '@/lib/platform/core/clock';
import { deleteHold, type Hold, insertHold, lockHold } from '@/lib/platform/hold/hold-store';
import type { WriteRuntime } from '@/lib/platform/runtime/runtime';
import { type Interrupted, interruptRequests, newestOpenAttempt } from './interrupt-store';

const ABOUT = { merchantId: null, environment: null, subject: 'hold' } as const;

/** Puts the copy on hold, for an operator. Processes that run notice it within five seconds. @returns the hold; an earlier one stays. */
export async function startHold(
  runtime: WriteRuntime,
  { actor, reason }: { readonly actor: Actor; readonly reason: string },
): Promise<{ readonly hold: Hold; readonly started: boolean }> {
  const since = runtime.clock();
  return runtime.db.transaction(async (tx) => {
    const before = await lockHold(tx);
    if (before) return { hold: before, started: false };
    const hold = await insertHold(tx, { since, reason });
    await recordEntry(runtime, { ...ABOUT, actor, action: 'hold.started' }, tx);
    return { hold, started: true };
  });
}

type Ended =
  | { readonly kind: 'ended'; readonly since: Date; readonly interrupted: Interrupted }
  /** A prompt that the other copy may have sent could still be repeated until then. */
  | { readonly kind: 'too_early'; readonly until: Date }
  | { readonly kind: 'not_held' };

/**
 * Ends the hold, so that this copy is the live one. Every live request that was not sent yet, or that was being sent, may have been sent by the
 * copy from which this one was restored. It therefore counts as interrupted while it was sent: workers query its status, as after the death
 * of a worker, and never send it again. A payment request could be repeated during its first ten minutes, so the hold cannot end before.
 */
export async function endHold(runtime: WriteRuntime, { actor }: { readonly actor: Actor }): Promise<Ended> {
  const { db, clock } = runtime;
  return db.transaction(async (tx) => {
    const hold = await lockHold(tx);
    if (!hold) return { kind: 'not_held' };
    const now = clock();
    const newest = await newestOpenAttempt(tx);
    const until = newest && addMs(newest, REPEAT_MAX_MS);
    if (until && until > now) return { kind: 'too_early', until };
    const interrupted = await interruptRequests(tx, now);
    await deleteHold(tx);
    const data = { since: hold.since.toISOString(), ...interrupted };
    await recordEntry(runtime, { ...ABOUT, actor, action: 'hold.ended', data }, tx);
    return { kind: 'ended', since: hold.since, interrupted };
  });
}
