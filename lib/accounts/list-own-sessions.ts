import type { Runtime } from '@/lib/config/runtime';
import type { AccountAccess } from './grant-account';
import { type ListedSession, listSessions } from './session-store';

/** A session of one's own, and whether it is the one that asks. */
export interface OwnSession extends ListedSession {
  readonly current: boolean;
}

/** @returns where somebody is signed in; the session that asks stands first. */
export async function listOwnSessions(runtime: Pick<Runtime, 'db' | 'clock'>, { user, sessionId }: AccountAccess): Promise<OwnSession[]> {
  const sessions = await listSessions(runtime.db, user.id, runtime.clock());
  return sessions
    .map((session) => ({ ...session, current: session.id === sessionId }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}
