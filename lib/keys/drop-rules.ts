import { DAY_MS, MINUTE_MS } from '@/lib/core/clock';

/** For so long a key must not have been used before anybody is told that it rests: longer than uses take to be written down. */
const QUIET_MS = 15 * MINUTE_MS;
/** What runs once a day has had its turn after this long. */
const DAILY_MS = DAY_MS;

/** Whether the old one of two keys can be dropped. */
export type DropAnswer =
  /** It was used a moment ago. */
  | 'in_use'
  /** It rests, but nobody uses the new one: nothing has been moved over. */
  | 'successor_unused'
  /** It rests, and the new one is used; what runs once a day or a week may still have it. */
  | 'quiet'
  /** It has not been used for more than a day, while the new one has. */
  | 'safe';

interface Judged {
  readonly oldUsedAt: Date | null;
  readonly rolledAt: Date;
  readonly newUses: number;
  readonly now: Date;
}

/** Pure. @param judged what is known of both keys; a use is known two minutes late at most. */
export function judgeDrop({ oldUsedAt, rolledAt, newUses, now }: Judged): DropAnswer {
  const restsMs = oldUsedAt === null ? Number.POSITIVE_INFINITY : now.getTime() - oldUsedAt.getTime();
  if (restsMs < QUIET_MS) return 'in_use';
  if (newUses === 0) return 'successor_unused';
  return Math.min(restsMs, now.getTime() - rolledAt.getTime()) < DAILY_MS ? 'quiet' : 'safe';
}
