import { DAY_MS, MINUTE_MS } from '@/lib/core/clock';

/** How long a key must be unused before it counts as unused. This time is longer than the delay of storing uses. */
const QUIET_MS = 15 * MINUTE_MS;
/** After this time, a job that runs once a day must have used one of the keys. */
const DAILY_MS = DAY_MS;

/** Whether a rolled key can be revoked. */
export type RevocationAdvice =
  /** The old key was used recently. */
  | 'in_use'
  /** The old key is not used, and neither is the new one: no program has changed to the new key yet. */
  | 'successor_unused'
  /** The old key is not used and the new one is. A daily or weekly job may still need the old key. */
  | 'quiet'
  /** The old key has not been used for more than a day, and the new one has. */
  | 'safe';

interface Judged {
  readonly oldUsedAt: Date | null;
  readonly rolledAt: Date;
  readonly newUses: number;
  readonly now: Date;
}

/** Pure. Returns whether a rolled key can be revoked. Uses are stored at most two minutes late. */
export function adviseRevocation({ oldUsedAt, rolledAt, newUses, now }: Judged): RevocationAdvice {
  const restsMs = oldUsedAt === null ? Number.POSITIVE_INFINITY : now.getTime() - oldUsedAt.getTime();
  if (restsMs < QUIET_MS) return 'in_use';
  if (newUses === 0) return 'successor_unused';
  return Math.min(restsMs, now.getTime() - rolledAt.getTime()) < DAILY_MS ? 'quiet' : 'safe';
}
