import type { Connection, Queryable } from '@/lib/db/database';
import type { Session } from '@/lib/db/generated/client';
import { boolean, int4, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

export type ListedSession = Pick<Session, 'id' | 'userAgent' | 'address' | 'createdAt' | 'lastSeenAt'>;

/** Returns a user's open sessions, the last used first. */
export async function listSessions(
  { prisma }: Connection,
  userId: string,
  { now, usedSince }: { readonly now: Date; readonly usedSince: Date },
): Promise<ListedSession[]> {
  return prisma.session.findMany({
    where: { userId, revokedAt: null, codeDue: false, expiresAt: { gt: now }, lastSeenAt: { gt: usedSince } },
    select: { id: true, userAgent: true, address: true, createdAt: true, lastSeenAt: true },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
  });
}

/** Stores that a session was used, unless this was stored since `before`. */
export async function touchSession({ prisma }: Connection, sessionId: string, now: Date, before: Date): Promise<void> {
  await prisma.session.updateMany({ where: { id: sessionId, lastSeenAt: { lte: before } }, data: { lastSeenAt: now } });
}

/** Ends one session of a user. Returns false if there is no such open session. */
export async function endSession({ prisma }: Connection, userId: string, sessionId: string, now: Date): Promise<boolean> {
  const { count } = await prisma.session.updateMany({ where: { userId, id: sessionId, revokedAt: null }, data: { revokedAt: now } });
  return count > 0;
}

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
  parameters: { userId: uuid, codeDue: boolean, keep: int4, now: timestamptz },
  columns: {},
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

/** Completes a session that waited for a code, and replaces its token. Returns false if it does not wait any more. */
export async function completeSession(
  { prisma }: Connection,
  { sessionId, tokenHash, now, expiresAt }: Pick<Session, 'tokenHash' | 'expiresAt'> & { readonly sessionId: string; readonly now: Date },
): Promise<boolean> {
  const { count } = await prisma.session.updateMany({
    where: { id: sessionId, codeDue: true, revokedAt: null, expiresAt: { gt: now } },
    data: { tokenHash, codeDue: false, createdAt: now, provenAt: now, lastSeenAt: now, expiresAt },
  });
  return count > 0;
}
