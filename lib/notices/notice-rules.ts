import { addMs } from '@/lib/core/clock';

/** The state of one topic's notices to a merchant. */
export interface NoticeState {
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
export function decideNotice(
  { told, toldAt }: NoticeState,
  presentIds: readonly string[],
  gapMs: number,
  now: Date,
): NoticeState & { newIds: ReadonlySet<string> } {
  const known = new Set(told);
  const newIds = new Set(presentIds.filter((id) => !known.has(id)));
  const early = toldAt !== null && now < addMs(toldAt, gapMs);
  if (newIds.size > 0 && !early) return { newIds, told: presentIds, toldAt: now };
  return { newIds: new Set(), told: presentIds.filter((id) => known.has(id)), toldAt };
}
