import type { KeyView } from '@/lib/identity/keys/key-view';
import { adviseRevocation } from '@/lib/identity/keys/revocation-rules';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';

const EARLY_MS = 7 * DAY_MS;
const LATE_MS = DAY_MS;

/** The successor of a rolled key. `uses`: how often the successor has been used. */
export interface Successor {
  readonly createdAt: Date;
  readonly uses: number;
}

/**
 * Pure. Returns which warning about a key is due: the one of 7 days or of 1 day before the key expires. Returns null if none is due.
 * A rolled key that is still used gets one warning: a day before it expires, but not in the first half of the time between rolling
 * and expiry. A rolled key that is not used gets none. `successor` is null for a key that was not rolled.
 */
export function warningOf(
  { state, expiresAt, lastUsedAt }: Pick<KeyView, 'state' | 'expiresAt' | 'lastUsedAt'>,
  successor: Successor | null,
  now: Date,
): 7 | 1 | null {
  if (state !== 'active' || expiresAt === null || expiresAt >= addMs(now, EARLY_MS)) return null;
  const late = expiresAt < addMs(now, LATE_MS);
  if (successor === null) return late ? 1 : 7;
  const rolledAt = successor.createdAt;
  const half = new Date((rolledAt.getTime() + expiresAt.getTime()) / 2);
  const used = lastUsedAt !== null && lastUsedAt > rolledAt;
  const due = late && now >= half && used && adviseRevocation({ oldUsedAt: lastUsedAt, rolledAt, newUses: successor.uses, now }) !== 'safe';
  return due ? 1 : null;
}

export interface NoticeState {
  /** When the last mail was queued. */
  readonly toldAt: Date | null;
  /** The ids of the items that were in a notice and still existed at the last check. */
  readonly told: readonly string[];
}

/**
 * Pure. Decides whether a mail about some items is due, for example about unmatched payments. An item that was in an earlier mail is new
 * again only after it has disappeared. `presentIds`: the items that exist now. `gapMs`: the shortest time between two mails.
 * @returns the state to store, and in `newIds` the items of the notice. `newIds` is empty if no item is new, or if `gapMs` is not over.
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
