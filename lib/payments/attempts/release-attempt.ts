import { recordEntry } from '@/lib/audit/record-entry';
import { addMs } from '@/lib/core/clock';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Environment, Scope } from '@/lib/core/scope';
import { withBills } from '@/lib/payments/ledger/bookings';
import { markReleased } from '@/lib/payments/move-store';
import { type Attempt, RELEASE_AFTER_MS } from '@/lib/payments/rules';
import { findAttempt, lockAttempt } from '@/lib/payments/store';
import type { Runtime } from '@/lib/runtime/runtime';

interface ReleaseAttemptOptions {
  readonly attemptId: string;
  /** The merchant and environment of the caller; null for the operator, who may release any attempt. */
  readonly scope: Scope | null;
  /** The caller's own words. They are stored in the bill's history. */
  readonly reason: string;
  readonly actor: string;
  readonly address: string | null;
}

export type ReleaseRefusal =
  | { readonly code: 'not_found' | 'not_unknown' | 'already_released' | 'reason_required' }
  | { readonly code: 'too_early'; readonly from: Date };

/**
 * Releases the reservation of an attempt that has been UNKNOWN for `RELEASE_AFTER_MS`, so that the bill can get a new prompt. The
 * attempt may still succeed: status queries continue, and a late payment is booked.
 */
export async function releaseAttempt(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { attemptId, scope, reason, actor, address }: ReleaseAttemptOptions,
): Promise<Result<Attempt, ReleaseRefusal>> {
  const found = isUuid(attemptId) ? await findAttempt(runtime.db, attemptId) : undefined;
  if (!found || (scope !== null && !isWithin(found, scope))) return fail({ code: 'not_found' });
  if (reason.trim() === '') return fail({ code: 'reason_required' });
  return withBills(
    runtime,
    async () => [found.billId],
    async (tx, bookings, now): Promise<Result<Attempt, ReleaseRefusal>> => {
      const attempt = await lockAttempt(tx, attemptId);
      if (!attempt?.unknownSince) return fail({ code: 'not_unknown' });
      if (attempt.releasedAt !== null) return fail({ code: 'already_released' });
      const from = addMs(attempt.unknownSince, RELEASE_AFTER_MS);
      if (now < from) return fail({ code: 'too_early', from });
      await markReleased(tx, attemptId, now);
      const data = { attempt: attemptId, by: actor, reason };
      bookings.add(attempt.billId, { released: attempt.amount, events: [{ type: 'attempt.released', data }] });
      const { merchantId, environment } = attempt;
      const about = { merchantId, environment, actor, address, action: 'attempt.released', subject: attemptId };
      await recordEntry(runtime, { ...about, data: { reason } }, tx);
      return ok({ ...attempt, releasedAt: now });
    },
  );
}

function isWithin({ merchantId, environment }: { merchantId: string; environment: Environment }, scope: Scope): boolean {
  return merchantId === scope.merchantId && environment === scope.environment;
}
