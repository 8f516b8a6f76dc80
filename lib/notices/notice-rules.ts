import { addMs } from '@/lib/core/clock';

/** What a merchant was told of one topic. */
export interface Told {
  /** When the last mail was written. */
  readonly toldAt: Date | null;
  /** What was told and stood still when somebody last looked. */
  readonly told: readonly string[];
}

/**
 * Pure. What was told is not told again while it stands; should it end and come up anew, it is news.
 * @param standing the ids of what stands now. @param gapMs how long after a mail the next may follow.
 * @returns the news to write about now, none when there are none or it is too early, and what is told by then.
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
