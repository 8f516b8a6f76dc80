import { findSession, type SignedIn } from '@/lib/accounts/store';
import { hashToken } from '@/lib/accounts/token';
import type { Settings } from '@/lib/config/settings';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import type { ReadRuntime, Runtime } from '@/lib/runtime/runtime';
import { findPendingSession, touchSession } from './session-store';

export type SessionRuntime = Pick<Runtime, 'db' | 'clock' | 'settings'>;

const TOUCH_MS = 5 * MINUTE_MS;

interface ReadOptions {
  /** True for a request that a page sends by itself, to refresh its data. Such a request does not count as use of the session. */
  readonly background?: boolean;
}

/**
 * Returns the session of a token with its user. Returns null if it has ended, expired, or was not used for `SESSION_IDLE_MINUTES`.
 * Regularly stores that the session is in use.
 */
export async function readSession(
  { db, clock, settings }: SessionRuntime,
  token: string,
  { background = false }: ReadOptions = {},
): Promise<SignedIn | null> {
  const now = clock();
  const session = await findSession(db, hashToken(token), { now, usedSince: usedSince(settings, now) });
  // The use of a session is stored at most once in this interval. Therefore a session may end too early, by up to one interval. To keep
  // this small, the interval is at most a tenth of the idle time.
  const before = addMs(now, -Math.min(TOUCH_MS, (settings.SESSION_IDLE_MINUTES * MINUTE_MS) / 10));
  if (session && !background && session.lastSeenAt <= before) await touchSession(db, session.sessionId, now, before);
  return session;
}

/** Returns the start of the idle time. A session that was not used since then has ended. */
export function usedSince({ SESSION_IDLE_MINUTES }: Pick<Settings, 'SESSION_IDLE_MINUTES'>, now: Date): Date {
  return addMs(now, -SESSION_IDLE_MINUTES * MINUTE_MS);
}

/** Returns whether the token belongs to a session that waits for the code of the second factor. */
export async function isCodeDue({ db, clock }: ReadRuntime, token: string | null): Promise<boolean> {
  return token !== null && (await findPendingSession(db, hashToken(token), clock())) !== null;
}
