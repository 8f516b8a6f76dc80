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
  /** Whose attempts may be released; null for the operator, who may release any. */
  readonly scope: Scope | null;
  /** Why, in the words of whoever asks; kept with the bill. */
  readonly reason: string;
  readonly actor: string;
  readonly address: string | null;
}

export type ReleaseRefusal =
  | { readonly code: 'not_found' | 'not_unknown' | 'already_released' | 'reason_required' }
  | { readonly code: 'too_early'; readonly from: Date };

/**
 * Gives up the reservation of an attempt that has stayed UNKNOWN for a quarter of an hour, so that the bill can be asked for
 * again. It may still succeed: it goes on being asked about, and money that comes is booked.
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
