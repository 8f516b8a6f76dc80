import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { type SessionRuntime, usedSince } from '@/lib/accounts/sessions/read-session';
import { type ListedSession, listSessions } from '@/lib/accounts/sessions/session-store';

/** A session of one's own, and whether it is the one that asks. */
export interface OwnSession extends ListedSession {
  readonly current: boolean;
}

/** @returns where somebody is signed in; the session that asks stands first. */
export async function listOwnSessions({ db, clock, settings }: SessionRuntime, { user, sessionId }: AccountAccess): Promise<OwnSession[]> {
  const sessions = await listSessions(db, user.id, { now: clock(), usedSince: usedSince(settings, clock()) });
  return sessions
    .map((session) => ({ ...session, current: session.id === sessionId }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}
