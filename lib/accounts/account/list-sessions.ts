import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { type SessionRuntime, usedSince } from '@/lib/accounts/sessions/read-session';
import { type ListedSession, listSessions } from '@/lib/accounts/sessions/session-store';

/** A session, and whether it is the current one. */
export interface AccountSession extends ListedSession {
  readonly current: boolean;
}

/** Lists the sessions of a person, the current one first. */
export async function listAccountSessions(
  { db, clock, settings }: SessionRuntime,
  { user, sessionId }: AccountAccess,
): Promise<AccountSession[]> {
  const sessions = await listSessions(db, user.id, { now: clock(), usedSince: usedSince(settings, clock()) });
  return sessions
    .map((session) => ({ ...session, current: session.id === sessionId }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}
