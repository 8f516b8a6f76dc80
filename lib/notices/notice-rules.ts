import { addMs } from '@/lib/core/clock';

/** The state of one topic's notices to a merchant. */
export interface Told {
  /** When the last mail was queued. */
  readonly toldAt: Date | null;
  /** The ids of the items that were in a notice and still existed at the last check. */
  readonly told: readonly string[];
}

/**
 * Pure. Decides whether a notice is due. An item that was in a notice is not repeated while it exists. If it disappears and comes
 * back, it is new. `presentIds`: the items that exist now. `gapMs`: the shortest time between two mails. Returns the new items to
 * write about, none if it is too early, and the state to store.
 */
export function judgeNews(
  { told, toldAt }: Told,
  standing: readonly string[],
  gapMs: number,
  now: Date,
): Told & { news: ReadonlySet<string> } {
  const known = new Set(told);
  const news = new Set(standing.filter((id) => !known.has(id)));
  const early = toldAt !== null && now < addMs(toldAt, gapMs);
  if (news.size > 0 && !early) return { news, told: standing, toldAt: now };
  return { news: new Set(), told: standing.filter((id) => known.has(id)), toldAt };
}
