import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Actor } from '@/lib/platform/core/actor';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Queryable } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { resolveOpenReview } from './store';

interface ResolveReviewOptions {
  readonly id: string;
  /** What the person found out and did. */
  readonly resolution: string;
  readonly actor: Actor;
}

/** `attempt_unresolved`, `refund_unresolved`: the review closes only when its attempt or reversal is settled. */
export type ResolveRefusal = 'not_found' | 'attempt_unresolved' | 'refund_unresolved';

/**
 * Closes a review when a person decides so. This changes no money. A review of an unresolved attempt or reversal cannot be closed while
 * the attempt or reversal is open, because then nothing would ever settle the attempt or reversal.
 */
export async function resolveReview(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  options: ResolveReviewOptions,
): Promise<Result<null, ResolveRefusal>> {
  if (!isUuid(options.id)) return fail('not_found');
  return runtime.db.transaction(async (tx): Promise<Result<null, ResolveRefusal>> => {
    // This check needs no lock, because a settled attempt or reversal never becomes open again.
    const unsettled = await tx.prisma.review.findUnique({
      where: {
        id: options.id,
        resolvedAt: null,
        OR: [
          { kind: 'attempt_unresolved', attempt: { state: { in: ['QUEUED', 'SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN'] } } },
          { kind: 'refund_unresolved', refund: { state: { in: ['QUEUED', 'SENDING', 'UNKNOWN'] } } },
        ],
      },
      select: { kind: true },
    });
    if (unsettled) return fail(unsettled.kind === 'attempt_unresolved' ? unsettled.kind : 'refund_unresolved');
    return (await resolveWithin(runtime, tx, options)) ? ok(null) : fail('not_found');
  });
}

/** Closes a review in the caller's transaction, together with the action that resolves the review. Returns false if it was not open. */
export async function resolveWithin(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  tx: Queryable,
  { id, resolution, actor }: ResolveReviewOptions,
): Promise<boolean> {
  const review = await resolveOpenReview(tx, id, { resolvedBy: actor.name, resolution, now: runtime.clock() });
  if (!review) return false;
  await recordEntry(runtime, { ...review, actor, action: 'review.resolved', subject: id, data: { resolution } }, tx);
  return true;
}
