import type { Connection, Queryable } from '@/lib/platform/db/database';
import type { Session } from '@/lib/platform/db/generated/client';
import { session } from '@/lib/platform/db/generated/tables';
import { int4, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

export type ListedSession = Pick<Session, 'id' | 'userAgent' | 'address' | 'createdAt' | 'lastSeenAt'>;

/** Ends a user's sessions, including those that wait for a code. `except` stays open. Returns how many ended. */
export async function endSessions({ prisma }: Connection, userId: string, except: string | null, now: Date): Promise<number> {
  const { count } = await prisma.session.updateMany({
    where: { userId, ...(except !== null && { id: { not: except } }), revokedAt: null },
    data: { revokedAt: now },
  });
  return count;
}

interface Surplus {
  readonly userId: string;
  /**
   * True: only sessions that wait for a code are counted and ended. False: only complete sessions are. The two kinds are separate, so that
   * somebody who knows only the password cannot end complete sessions.
   */
  readonly codeDue: boolean;
  readonly keep: number;
  readonly now: Date;
}

const END_SURPLUS_SESSIONS = statement({
  name: 'end surplus sessions',
  text: `UPDATE session SET revoked_at = $now WHERE id IN (
           SELECT id FROM session WHERE user_id = $userId AND code_due = $codeDue AND revoked_at IS NULL AND expires_at > $now
           ORDER BY last_seen_at DESC, id DESC OFFSET $keep::int)`,
  parameters: { ...pick(session, 'userId codeDue'), keep: int4, now: timestamptz },
});

/** Ends a user's sessions, except for the most recently used ones. `keep` is how many stay open. */
export async function endSurplusSessions(on: Queryable, surplus: Surplus): Promise<void> {
  await END_SURPLUS_SESSIONS.rows(on, surplus);
}

/** A session that waits for the code of the second factor. */
interface PendingSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
}

export async function findPendingSession(
  { prisma }: Connection,
  tokenHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<PendingSession | null> {
  const session = await prisma.session.findFirst({
    where: { tokenHash, codeDue: true, revokedAt: null, expiresAt: { gt: now } },
    select: { id: true, user: { select: { id: true, email: true } } },
  });
  return session && { sessionId: session.id, userId: session.user.id, email: session.user.email };
}
