import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import { isUuid } from '@/lib/core/ids';
import { resolveOpenReview } from './store';

interface ResolveReviewOptions {
  readonly id: string;
  /** What was found out, and done. */
  readonly resolution: string;
  readonly actor: string;
}

/** Closes a review by a person's word. Changes nothing about the money. @returns false when there is no such open review. */
export async function resolveReview(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { id, resolution, actor }: ResolveReviewOptions,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const review = await resolveOpenReview(runtime.db, id, { resolvedBy: actor, resolution, now: runtime.clock() });
  if (review) await recordEntry(runtime, { ...review, actor, action: 'review.resolved', subject: id, address: null, data: { resolution } });
  return review !== undefined;
}
