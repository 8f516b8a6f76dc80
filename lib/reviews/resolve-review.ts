import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Queryable } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { findUnsettled, resolveOpenReview } from './store';

interface ResolveReviewOptions {
  readonly id: string;
  /** What was found out, and done. */
  readonly resolution: string;
  readonly actor: Actor;
}

/** `attempt_unresolved`, `reversal_unresolved`: what it is about must be settled, which closes it. */
export type ResolveRefusal = 'not_found' | 'attempt_unresolved' | 'reversal_unresolved';

/**
 * Closes a review by a person's word. Changes nothing about the money; so it refuses one about an attempt or a reversal that
 * is still open and that nobody would ever ask about again.
 */
export async function resolveReview(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  options: ResolveReviewOptions,
): Promise<Result<null, ResolveRefusal>> {
  if (!isUuid(options.id)) return fail('not_found');
  return runtime.db.transaction(async (tx): Promise<Result<null, ResolveRefusal>> => {
    // What has settled does not open again.
    const unsettled = await findUnsettled(tx, options.id);
    if (unsettled) return fail(unsettled);
    return (await resolveWithin(runtime, tx, options)) ? ok(null) : fail('not_found');
  });
}

/** Closes a review in the transaction that does what settles it. @returns false when it was not open. */
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
