import { setTimeout as delay } from 'node:timers/promises';
import { addMs, type Clock, SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import type { RawAnswer } from './port';
import { notSent } from './raw-answer';
import type { SessionOwner, SessionStore, SharedSession, Token } from './session-port';

/** How a provider's sessions are opened. Milliseconds. */
export interface OpenSession {
  /** Asks the provider for one. Never throws; a failure says that the call it is for was not sent, and why. */
  readonly open: (signal: AbortSignal) => Promise<Result<string, RawAnswer>>;
  /** How long asking may last. */
  readonly timeoutMs: number;
  /** How long a session lives from when it was asked for, and how long after that it may still be refused. */
  readonly lifeMs: number;
  readonly warmupMs: number;
}

/** A session is renewed in the last tenth of its life. */
const RENEW_AT = 0.9;
/** How often a worker that waits for another's session looks for it. */
const POLL_MS = SECOND_MS / 2;
/** How much longer than its call the lease of a renewal lasts. */
const LEASE_MARGIN_MS = 5 * SECOND_MS;

/**
 * Looks for the account's session until there is one that serves, and opens it if nobody else is about it; one that will end
 * soon is renewed. Of all workers one does so; if it dies, another follows when its lease ends.
 * @returns a session that serves now, or an answer that says that the call it is for was never sent, and why. Throws what the
 *   store throws.
 */
export async function findSession(
  { store, clock }: { readonly store: SessionStore; readonly clock: Clock },
  owner: SessionOwner,
  how: OpenSession,
  signal: AbortSignal,
): Promise<Result<SharedSession, RawAnswer>> {
  const leaseMs = how.timeoutMs + LEASE_MARGIN_MS;
  const giveUpAt = addMs(clock(), leaseMs + how.timeoutMs + how.warmupMs + LEASE_MARGIN_MS);
  while (!signal.aborted) {
    const now = clock();
    const session = await store.find(owner);
    const serves = session && servingAt(session, now);
    if (!session || now >= renewalOf(session)) {
      const replaces = session?.openedAt ?? null;
      const leaseToken = await store.claim(owner, { replaces, now, leaseUntil: addMs(now, leaseMs) });
      if (leaseToken !== null) {
        const opened = await how.open(signal);
        if (opened.ok) {
          const usableAt = addMs(clock(), how.warmupMs);
          const made = { token: opened.value, previous: serves, openedAt: now, usableAt, endsAt: addMs(now, how.lifeMs) };
          await store.save(owner, leaseToken, made);
          continue;
        }
        await store.release(owner, leaseToken);
        if (!serves) return opened;
      }
    }
    if (session && serves) return ok(session);
    if (now >= giveUpAt) return fail(notSent('no session: waited too long for one that works'));
    const restMs = session ? session.usableAt.getTime() - now.getTime() : POLL_MS;
    await delay(Math.min(Math.max(restMs, 1), POLL_MS), undefined, { signal }).catch(() => undefined);
  }
  return fail(notSent('stopped while waiting for a session'));
}

/** @returns the token that works at an instant, if any does: the old one serves until the new one has warmed up. */
export function servingAt({ token, endsAt, usableAt, previous }: SharedSession, now: Date): Token | null {
  if (now >= usableAt) return now < endsAt ? { token, endsAt } : null;
  return previous && now < previous.endsAt ? previous : null;
}

/** @returns from when on a session should be renewed. */
export function renewalOf({ openedAt, endsAt }: SharedSession): Date {
  return addMs(openedAt, (endsAt.getTime() - openedAt.getTime()) * RENEW_AT);
}
