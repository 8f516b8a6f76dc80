import { findRefusal, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, ok, type Result } from '@/lib/core/result';
import { oneLine, REASON_MAX } from '@/lib/core/text';
import type { Runtime } from '@/lib/runtime/runtime';
import { releaseAttempt } from './release-attempt';

const PROBLEMS = [
  'not_found',
  'not_unknown',
  'already_released',
  'reason_required',
  'too_early',
  'not_allowed',
  'second_factor_due',
  'reason_too_long',
] as const;
type OwnReleaseRefusal = (typeof PROBLEMS)[number];

/** @returns whether a page was told one of the reasons why nothing was released. */
export function isReleaseProblem(text: unknown): text is OwnReleaseRefusal {
  return PROBLEMS.some((problem) => problem === text);
}

/** Releases an attempt of the merchant's own, if the person may change things. */
export async function releaseOwnAttempt(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { attemptId, reason, address }: { attemptId: string; reason: string; address: string | null },
): Promise<Result<null, OwnReleaseRefusal>> {
  const refusal = findRefusal(access, 'bills.change');
  if (refusal) return fail(refusal);
  if (oneLine(reason).length > REASON_MAX) return fail('reason_too_long');
  const actor = `user:${access.user.email}`;
  const released = await releaseAttempt(runtime, { attemptId, scope: access.scope, reason: oneLine(reason), actor, address });
  return released.ok ? ok(null) : fail(released.error.code);
}
