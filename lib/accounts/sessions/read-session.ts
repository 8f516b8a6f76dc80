import { findSession, type SignedIn } from '@/lib/accounts/store';
import { hashToken } from '@/lib/accounts/token';
import type { Settings } from '@/lib/config/settings';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import type { Runtime } from '@/lib/runtime/runtime';
import { touchSession } from './session-store';

export type SessionRuntime = Pick<Runtime, 'db' | 'clock' | 'settings'>;

const TOUCH_MS = 5 * MINUTE_MS;

interface ReadOptions {
  /** A page asks by itself whether there is news: nobody uses the session, and it may run out. */
  readonly background?: boolean;
}

/**
 * @returns who is behind a session's token now, or null when it has ended, run out, or was not used for `SESSION_IDLE_MINUTES`. Notes
 *   now and then that it is in use.
 */
export async function readSession(
  { db, clock, settings }: SessionRuntime,
  token: string,
  { background = false }: ReadOptions = {},
): Promise<SignedIn | null> {
  const now = clock();
  const session = await findSession(db, hashToken(token), { now, usedSince: usedSince(settings, now) });
  // A tenth of the idle time at most: a session whose use is noted less often would end that much sooner.
  const before = addMs(now, -Math.min(TOUCH_MS, (settings.SESSION_IDLE_MINUTES * MINUTE_MS) / 10));
  if (session && !background && session.lastSeenAt <= before) await touchSession(db, session.sessionId, now, before);
  return session;
}

/** @returns since when a session must have been used to open anything now. */
export function usedSince({ SESSION_IDLE_MINUTES }: Pick<Settings, 'SESSION_IDLE_MINUTES'>, now: Date): Date {
  return addMs(now, -SESSION_IDLE_MINUTES * MINUTE_MS);
}
