import { withBills } from '@/lib/gateway/ledger/bookings';
import { type Attempt, RELEASE_AFTER_MS } from '@/lib/gateway/payments/rules';
import { findAttempt, lockAttempt, markReleased } from '@/lib/gateway/payments/store';
import { type Access, type AccessRefusal, authorize } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { addMs } from '@/lib/platform/core/clock';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { oneLine, REASON_MAX } from '@/lib/platform/core/text';
import type { Runtime } from '@/lib/platform/runtime/runtime';

interface ReleaseAttemptOptions {
  readonly attemptId: string;
  /** The reason, as it was entered. It is stored in the bill's history. */
  readonly reason: string;
}

export type ReleaseRefusal =
  | { readonly code: AccessRefusal | 'not_found' | 'not_unknown' | 'already_released' | 'reason_required' | 'reason_too_long' }
  | { readonly code: 'too_early'; readonly from: Date };

/**
 * Releases the reservation of an attempt that has been UNKNOWN for `RELEASE_AFTER_MS`, so that the bill can get a new prompt. The
 * attempt may still succeed: status queries continue, and a late payment is booked.
 */
export async function releaseAttempt(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: Access,
  { attemptId, reason: typed }: ReleaseAttemptOptions,
): Promise<Result<Attempt, ReleaseRefusal>> {
  const refusal = authorize(access, 'bills.change');
  if (refusal) return fail({ code: refusal });
  const { scope, actor } = access;
  const reason = oneLine(typed);
  if (reason.length > REASON_MAX) return fail({ code: 'reason_too_long' });
  const found = isUuid(attemptId) ? await findAttempt(runtime.db, attemptId) : undefined;
  if (found?.merchantId !== scope.merchantId || found.environment !== scope.environment) return fail({ code: 'not_found' });
  if (reason === '') return fail({ code: 'reason_required' });
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
      const data = { attempt: attemptId, by: actor.name, reason };
      bookings.add(attempt.billId, { released: attempt.amount, events: [{ type: 'attempt.released', data }] });
      await recordEntry(runtime, { ...scope, actor, action: 'attempt.released', subject: attemptId, data: { reason } }, tx);
      return ok({ ...attempt, releasedAt: now });
    },
  );
}

const CODES: Readonly<Record<ReleaseRefusal['code'], true>> = {
  not_allowed: true,
  second_factor_due: true,
  not_found: true,
  not_unknown: true,
  already_released: true,
  reason_required: true,
  reason_too_long: true,
  too_early: true,
};

/** Tells whether a query parameter is a code of ReleaseRefusal. */
export function isReleaseRefusal(text: string): text is ReleaseRefusal['code'] {
  return Object.hasOwn(CODES, text);
}
