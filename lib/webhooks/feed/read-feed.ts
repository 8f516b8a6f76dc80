import type { Failure } from '@/lib/core/failure';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { type FeedEntry, findFeedEntries, findFeedState, lockFeed, numberFeedEntries } from './feed-store';

interface FeedQuery {
  /** The number of the last event that the client has read; 0 for none. */
  readonly after: bigint;
  readonly limit: number;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** The value of `after` for the next page. */
  readonly last: bigint;
  /** Whether there are more events after this page. */
  readonly more: boolean;
}

/**
 * Returns at most `limit` of a merchant's events after a number, in order. Events get their numbers here, after they are committed:
 * an event that got its number when it was created, and was committed late, could be behind the cursor of a reader. A bill's events
 * have ascending numbers, because each is created under the lock of the bill and not at an earlier time than the one before.
 * @returns `more: false` only if the page includes every event that was committed before the call. Fails with `after_invalid` if
 *   `after` was never assigned, as after a restored backup: continuing from there would skip the events up to it.
 */
export async function readFeed(
  { db }: Pick<Runtime, 'db'>,
  scope: Scope,
  { after, limit }: FeedQuery,
): Promise<Result<FeedPage, Failure<'after_invalid'>>> {
  const { last, waiting } = await findFeedState(db, scope);
  if (after > last) return fail({ code: 'after_invalid' });
  // One event more than requested shows whether there are more. Numbers have no gaps.
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
