import type { Queryable } from '@/lib/db/database';

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
  on: Queryable,
  userId: string,
  { now, usedSince }: { readonly now: Date; readonly usedSince: Date },
): Promise<ListedSession[]> {
  return on.query<ListedSession>(
    {
      text: `SELECT id, user_agent AS "userAgent", address, created_at AS "createdAt", last_seen_at AS "lastSeenAt" FROM session
             WHERE user_id = $1 AND revoked_at IS NULL AND NOT code_due AND expires_at > $2 AND last_seen_at > $3
             ORDER BY last_seen_at DESC, id DESC`,
    },
    [userId, now, usedSince],
  );
}

/** Notes that a session was used, if nobody noted it since `before`. */
export async function touchSession(on: Queryable, sessionId: string, now: Date, before: Date): Promise<void> {
  await on.query({ text: 'UPDATE session SET last_seen_at = $2 WHERE id = $1 AND last_seen_at <= $3' }, [sessionId, now, before]);
}

/** Ends one session of a person. @returns false when there is no such session to end. */
export async function endSession(on: Queryable, userId: string, sessionId: string, now: Date): Promise<boolean> {
  const rows = await on.query(
    { text: 'UPDATE session SET revoked_at = $3 WHERE user_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING 1 AS ended' },
    [userId, sessionId, now],
  );
  return rows.length > 0;
}

/** Ends a person's sessions, those that wait for a code too. @param except the one to keep; null for none. @returns how many. */
export async function endSessions(on: Queryable, userId: string, except: string | null, now: Date): Promise<number> {
  const rows = await on.query(
    {
      text: 'UPDATE session SET revoked_at = $3 WHERE user_id = $1 AND id IS DISTINCT FROM $2 AND revoked_at IS NULL RETURNING 1 AS ended',
    },
    [userId, except, now],
  );
  return rows.length;
}

interface Surplus {
  readonly userId: string;
  /** Whether of sessions that wait for a code, or of open ones: whoever has the password alone ends no open one. */
  readonly codeDue: boolean;
  readonly keep: number;
  readonly now: Date;
}

/** Ends a person's sessions but the last used `keep`. */
export async function endSurplusSessions(on: Queryable, { userId, codeDue, keep, now }: Surplus): Promise<void> {
  await on.query(
    {
      text: `UPDATE session SET revoked_at = $4 WHERE id IN (
               SELECT id FROM session WHERE user_id = $1 AND code_due = $2 AND revoked_at IS NULL AND expires_at > $4
               ORDER BY last_seen_at DESC, id DESC OFFSET $3)`,
    },
    [userId, codeDue, keep, now],
  );
}

/** A session that waits for the second factor. */
interface PendingSession {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
}

export async function findPendingSession(on: Queryable, tokenHash: Uint8Array, now: Date): Promise<PendingSession | null> {
  const [row] = await on.query<PendingSession>(
    {
      text: `SELECT s.id AS "sessionId", u.id AS "userId", u.email FROM session s JOIN "user" u ON u.id = s.user_id
             WHERE s.token_hash = $1 AND s.code_due AND s.revoked_at IS NULL AND s.expires_at > $2`,
    },
    [tokenHash, now],
  );
  return row ?? null;
}

interface Completion {
  readonly sessionId: string;
  readonly tokenHash: Uint8Array;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** Opens a session that waited for a code, under another token. @returns false when it waits no more. */
export async function completeSession(on: Queryable, { sessionId, tokenHash, now, expiresAt }: Completion): Promise<boolean> {
  const rows = await on.query(
    {
      text: `UPDATE session SET token_hash = $2, code_due = false, created_at = $3, proven_at = $3, last_seen_at = $3, expires_at = $4
             WHERE id = $1 AND code_due AND revoked_at IS NULL AND expires_at > $3 RETURNING 1 AS completed`,
    },
    [sessionId, tokenHash, now, expiresAt],
  );
  return rows.length > 0;
}
