import type { Connection, Queryable } from '@/lib/db/database';
import { boolean, int4, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** A session as its owner sees it. */
export interface ListedSession {
  readonly id: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

/** @returns a person's sessions that open something now, the last seen first. */
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

/** Notes that a session was used, if nobody noted it since `before`. */
export async function touchSession({ prisma }: Connection, sessionId: string, now: Date, before: Date): Promise<void> {
  await prisma.session.updateMany({ where: { id: sessionId, lastSeenAt: { lte: before } }, data: { lastSeenAt: now } });
}

/** Ends one session of a person. @returns false when there is no such session to end. */
export async function endSession({ prisma }: Connection, userId: string, sessionId: string, now: Date): Promise<boolean> {
  const { count } = await prisma.session.updateMany({ where: { userId, id: sessionId, revokedAt: null }, data: { revokedAt: now } });
  return count > 0;
}

/** Ends a person's sessions, those that wait for a code too. @param except the one to keep; null for none. @returns how many. */
export async function endSessions({ prisma }: Connection, userId: string, except: string | null, now: Date): Promise<number> {
  const { count } = await prisma.session.updateMany({
    where: { userId, ...(except !== null && { id: { not: except } }), revokedAt: null },
    data: { revokedAt: now },
  });
  return count;
}

interface Surplus {
  readonly userId: string;
  /** Whether of sessions that wait for a code, or of open ones: whoever has the password alone ends no open one. */
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

/** Ends a person's sessions but the last used `keep`. */
export async function endSurplusSessions(on: Queryable, surplus: Surplus): Promise<void> {
  await END_SURPLUS_SESSIONS.rows(on, surplus);
}

/** A session that waits for the second factor. */
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

interface Completion {
  readonly sessionId: string;
  readonly tokenHash: Uint8Array<ArrayBuffer>;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** Opens a session that waited for a code, under another token. @returns false when it waits no more. */
export async function completeSession({ prisma }: Connection, { sessionId, tokenHash, now, expiresAt }: Completion): Promise<boolean> {
  const { count } = await prisma.session.updateMany({
    where: { id: sessionId, codeDue: true, revokedAt: null, expiresAt: { gt: now } },
    data: { tokenHash, codeDue: false, createdAt: now, provenAt: now, lastSeenAt: now, expiresAt },
  });
  return count > 0;
}
