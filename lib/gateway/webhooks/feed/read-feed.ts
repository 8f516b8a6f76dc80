import type { Failure } from '@/lib/platform/core/failure';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Scope } from '@/lib/platform/core/scope';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type FeedEntry, findFeedEntries, findFeedState, lockFeed, numberFeedEntries } from './feed-store';

interface FeedQuery {
  /** The number in the feed of the last event that the client has read; 0 if it has read none. */
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
 * Returns at most `limit` of a merchant's events after a number of the feed, in order. This function gives events their numbers in the
 * feed, after they are committed. If an event got its number when it is created, but is committed late, readers could already have passed
 * that number. A bill's later events have higher numbers, because each event is created under the lock of the bill and never has an earlier
 * time than the one before.
 * @returns `more: false` only if the page includes every event that was committed before the call. Fails with `after_invalid` if no event
 *   has got the number `after`, for example after a backup was restored: a client that reads on from there would miss the events up to this
 *   number.
 */
export async function readFeed(
  { db }: Pick<Runtime, 'db'>,
  scope: Scope,
  { after, limit }: FeedQuery,
): Promise<Result<FeedPage, Failure<'after_invalid'>>> {
  const { last, waiting } = await findFeedState(db, scope);
  if (after > last) return fail({ code: 'after_invalid' });
  // Asks for one event more than requested, to find out whether there are more. The numbers of the feed have no gaps. So `last - after`
  // tells how many events after the event `after` are already numbered.
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
