import { setTimeout as delay } from 'node:timers/promises';
import { addMs, type Clock, SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import type { RawAnswer } from './port';
import { notSent } from './raw-answer';
import type { SessionOwner, SessionStore, SharedSession, Token } from './session-port';

/** A session that a provider has opened. */
export interface OpenedSession {
  readonly token: string;
  /** The lifetime of the session, counted from the request that opened the session. */
  readonly lifeMs: number;
}

/** How a provider's sessions are opened. Times are milliseconds. */
export interface SessionOptions {
  /** Asks the provider for a session token. Never throws. A failure says why the call that needs the session was not sent. */
  readonly open: (signal: AbortSignal) => Promise<Result<OpenedSession, RawAnswer>>;
  /** How long a provider may refuse calls with a new session, as some providers do; 0 by default. */
  readonly warmupMs?: number;
}

/** Time limit of `SessionOptions.open`. */
export const OPEN_TIMEOUT_MS = 15 * SECOND_MS;
/** A session is renewed after this fraction of its lifetime. */
const RENEW_AT = 0.8;
/** How often a worker checks whether another worker has opened a session. */
const POLL_MS = SECOND_MS / 2;
/** The lease of a renewal is this much longer than the time limit of the call that opens the session. */
const LEASE_MARGIN_MS = 5 * SECOND_MS;
const LEASE_MS = OPEN_TIMEOUT_MS + LEASE_MARGIN_MS;

/**
 * Finds a usable session of the account, and waits for one if necessary. If there is no session, or if the session ends soon, one worker
 * opens a new session under a lease. If that worker dies, another worker opens the session when the lease ends.
 * @returns a usable session, or an answer that says why the call was never sent. Throws only the errors of the store.
 */
export async function findSession(
  { store, clock }: { readonly store: SessionStore; readonly clock: Clock },
  owner: SessionOwner,
  { open, warmupMs = 0 }: SessionOptions,
  signal: AbortSignal,
): Promise<Result<SharedSession, RawAnswer>> {
  const deadline = addMs(clock(), LEASE_MS + OPEN_TIMEOUT_MS + warmupMs + LEASE_MARGIN_MS);
  while (!signal.aborted) {
    const now = clock();
    const session = await store.find(owner);
    const usable = session && usableToken(session, now);
    if (!session || now >= renewalTime(session)) {
      const replaces = session?.openedAt ?? null;
      const leaseToken = await store.claim(owner, { replaces, now, leaseUntil: addMs(now, LEASE_MS) });
      if (leaseToken !== null) {
        const opened = await open(signal);
        if (opened.ok) {
          const usableAt = addMs(clock(), warmupMs);
          const { token, lifeMs } = opened.value;
          const endsAt = addMs(now, lifeMs);
          await store.save(owner, leaseToken, { token, previous: usable, openedAt: now, usableAt, endsAt });
          continue;
        }
        await store.release(owner, leaseToken);
        if (!usable) return opened;
      }
    }
    if (session && usable) return ok(session);
    if (now >= deadline) return fail(notSent('no session: none became usable in time'));
    const waitMs = session ? session.usableAt.getTime() - now.getTime() : POLL_MS;
    await delay(Math.min(Math.max(waitMs, 1), POLL_MS), undefined, { signal }).catch(() => undefined);
  }
  return fail(notSent('stopped while waiting for a session'));
}

/** Returns the token that is usable now, or null. The previous token is used until the new one is usable. */
export function usableToken({ token, endsAt, usableAt, previous }: SharedSession, now: Date): Token | null {
  if (now >= usableAt) return now < endsAt ? { token, endsAt } : null;
  return previous && now < previous.endsAt ? previous : null;
}

export function renewalTime({ openedAt, endsAt }: SharedSession): Date {
  return addMs(openedAt, (endsAt.getTime() - openedAt.getTime()) * RENEW_AT);
}
