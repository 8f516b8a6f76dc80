import type { Failure } from '@/lib/core/failure';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { type FeedEntry, findFeedEntries, findFeedState, lockFeed, numberFeedEntries } from './feed-store';

/** Which part of the feed is asked for. */
interface FeedQuery {
  /** The number of the last event that is known already; 0 for none. */
  readonly after: bigint;
  readonly limit: number;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** The number to go on after. */
  readonly last: bigint;
  /** Whether there are others behind these. */
  readonly more: boolean;
}

/**
 * Reads a merchant's events in order. They get their numbers here, once they are committed: numbered where they are made, one
 * that commits late would have a number that readers are past already. A bill's events have ascending numbers, for each is
 * made under the lock of the bill, and none at an earlier time than the one before.
 * @returns up to `limit` events after a number, and that there are no more only where none was committed before the question
 *   came; fails when no event has had that number, as after a restored backup: going on from there would skip what comes up to it.
 */
export async function readFeed(
  { db }: Pick<Runtime, 'db'>,
  scope: Scope,
  { after, limit }: FeedQuery,
): Promise<Result<FeedPage, Failure<'after_invalid'>>> {
  const { last, waiting } = await findFeedState(db, scope);
  if (after > last) return fail({ code: 'after_invalid' });
  // One more than asked for tells whether there is more. Numbers have no gaps.
  const wanted = limit + 1;
  const numbered = last - after;
  if (waiting && numbered < wanted) {
    await db.transaction(async (tx) => {
      await lockFeed(tx, scope);
      await numberFeedEntries(tx, scope, wanted - Number(numbered));
    });
  }
  const found = await findFeedEntries(db, scope, { after, limit: wanted });
  const entries = found.slice(0, limit);
  return ok({ entries, last: entries.at(-1)?.number ?? after, more: found.length > limit });
}
