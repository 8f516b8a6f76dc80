import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { findUnsettled, resolveOpenReview } from './store';

interface ResolveReviewOptions {
  readonly id: string;
  /** What was found out, and done. */
  readonly resolution: string;
  readonly actor: string;
}

/** `attempt_unresolved`, `reversal_unresolved`: what it is about must be settled, which closes it. */
export type ResolveRefusal = 'not_found' | 'attempt_unresolved' | 'reversal_unresolved';

/**
 * Closes a review by a person's word. Changes nothing about the money; so it refuses one about an attempt or a reversal that
 * is still open and that nobody would ever ask about again.
 */
export async function resolveReview(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { id, resolution, actor }: ResolveReviewOptions,
): Promise<Result<null, ResolveRefusal>> {
  if (!isUuid(id)) return fail('not_found');
  return runtime.db.transaction(async (tx): Promise<Result<null, ResolveRefusal>> => {
    // What has settled does not open again.
    const unsettled = await findUnsettled(tx, id);
    if (unsettled) return fail(unsettled);
    const review = await resolveOpenReview(tx, id, { resolvedBy: actor, resolution, now: runtime.clock() });
    if (!review) return fail('not_found');
    await recordEntry(runtime, { ...review, actor, action: 'review.resolved', subject: id, address: null, data: { resolution } }, tx);
    return ok(null);
  });
}
