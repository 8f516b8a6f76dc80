import { DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';

/** A key that was used within this time is `in_use`. The time is longer than the delay with which uses are stored. */
const QUIET_MS = 15 * MINUTE_MS;
/** A daily job uses either the old or the new key within this time. So if the old key was not used in this time, no daily job needs it. */
const DAILY_MS = DAY_MS;

/** Whether a rolled key can be revoked. */
export type RevocationAdvice =
  /** The old key was used recently. */
  | 'in_use'
  /** The new key was never used: no program has changed to the new key yet. The old key was not used recently either. */
  | 'successor_unused'
  /** Only the new key is used. A daily or weekly job may still need the old key. */
  | 'quiet'
  /** The old key was rolled more than a day ago and has not been used for a day. The new key has been used. */
  | 'safe';

interface Judged {
  readonly oldUsedAt: Date | null;
  readonly rolledAt: Date;
  readonly newUses: number;
  readonly now: Date;
}

/**
 * Pure. Says whether it is safe to revoke the old key after it was rolled. Uses are stored at most two minutes late, which is less than
 * the time during which a key counts as in use. So no use is missed.
 */
export function adviseRevocation({ oldUsedAt, rolledAt, newUses, now }: Judged): RevocationAdvice {
  const restsMs = oldUsedAt === null ? Number.POSITIVE_INFINITY : now.getTime() - oldUsedAt.getTime();
  if (restsMs < QUIET_MS) return 'in_use';
  if (newUses === 0) return 'successor_unused';
  return Math.min(restsMs, now.getTime() - rolledAt.getTime()) < DAILY_MS ? 'quiet' : 'safe';
}
