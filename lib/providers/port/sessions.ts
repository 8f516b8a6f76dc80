import { setTimeout as delay } from 'node:timers/promises';
import { addMs, type Clock, SECOND_MS } from '@/lib/platform/core/clock';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { OnHold } from '@/lib/platform/hold/hold';
import type { ProviderAccount, RawAnswer } from './port';
import { notSent } from './raw-answer';

/** A session token that authorises calls to a provider, and when it ends. */
interface Token {
  readonly token: string;
  readonly endsAt: Date;
}

/** The session of a provider account. All workers share it. */
export interface SharedSession extends Token {
  readonly openedAt: Date;
  /** Before this time the provider may refuse the token. */
  readonly usableAt: Date;
  /** The token of the session that this session replaces. Calls use the old token until the new token is usable. */
  readonly previous: Token | null;
}

/** What a session belongs to: an account with its credentials. After a change of its credentials, an account has no session at first. */
export type SessionOwner = Pick<ProviderAccount, 'id' | 'credentials'>;

interface ClaimOptions {
  /** The time at which the session to be replaced was opened; null if there is no session to replace. */
  readonly replaces: Date | null;
  readonly now: Date;
  readonly leaseUntil: Date;
}

export interface SessionStore {
  find(owner: SessionOwner): Promise<SharedSession | null>;
  /** Claims the right to open a session. @returns the lease token; null if another worker is opening a session or has opened one. */
  claim(owner: SessionOwner, options: ClaimOptions): Promise<number | null>;
  /** Stores the opened session and ends the lease. Stores nothing if another worker has claimed the lease in the meantime. */
  save(owner: SessionOwner, leaseToken: number, session: SharedSession): Promise<void>;
  /** Ends a lease under which no session was opened. */
  release(owner: SessionOwner, leaseToken: number): Promise<void>;
  /**
   * Removes a refused token from the session that was opened at `openedAt`. A newer session is not changed.
   * @param remaining the session without the refused token; null if no token is left.
   */
  invalidate(owner: SessionOwner, openedAt: Date, remaining: SharedSession | null): Promise<void>;
}

/** A session that a provider has opened. */
export interface OpenedSession {
  readonly token: string;
  /** The lifetime of the session, counted from the request that opened the session. */
  readonly lifeMs: number;
}

/** How a provider's sessions are opened. Times are milliseconds. */
interface SessionOptions {
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
async function findSession(
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
function usableToken({ token, endsAt, usableAt, previous }: SharedSession, now: Date): Token | null {
  if (now >= usableAt) return now < endsAt ? { token, endsAt } : null;
  return previous && now < previous.endsAt ? previous : null;
}

function renewalTime({ openedAt, endsAt }: SharedSession): Date {
  return addMs(openedAt, (endsAt.getTime() - openedAt.getTime()) * RENEW_AT);
}

export interface SessionDependencies {
  readonly clock: Clock;
  /** The store of the sessions that all workers share. */
  readonly sessions: SessionStore;
}

/** If a session is due for renewal, the process uses it for this long before it reads the store again. */
const RECHECK_MS = 15 * SECOND_MS;

interface Search {
  readonly found: Promise<Result<SharedSession, RawAnswer>>;
  readonly stop: AbortController;
  waiting: number;
}

/** What this process remembers of an account's session. */
interface Slot {
  readonly credentials: SessionOwner['credentials'];
  session: SharedSession | null;
  /** Until this time the session is used without reading the store. */
  trustedUntil: Date;
  /** The search for a session that is in progress; null if there is none. All callers wait for the same search. */
  search: Search | null;
}

/** Gives all workers one session per account, and remembers it in this process so that a call needs no database query. */
export function createSharedSessions({ clock, sessions: store }: SessionDependencies) {
  const slots = new Map<string, Slot>();

  function slotOf({ id, credentials }: SessionOwner): Slot {
    const known = slots.get(id);
    if (known?.credentials === credentials) return known;
    const slot: Slot = { credentials, session: null, trustedUntil: new Date(0), search: null };
    slots.set(id, slot);
    return slot;
  }

  function startSearch(slot: Slot, owner: SessionOwner, options: SessionOptions): Search {
    const stop = new AbortController();
    const found = findSession({ store, clock }, owner, options, stop.signal)
      .catch((error: unknown) => {
        if (error instanceof OnHold) throw error;
        return fail(notSent(`no session: ${error instanceof Error ? error.message : error}`));
      })
      .then((result) => {
        if (result.ok) remember(slot, result.value);
        return result;
      })
      .finally(() => {
        if (slot.search?.stop === stop) slot.search = null;
      });
    return { found, stop, waiting: 0 };
  }

  function remember(slot: Slot, session: SharedSession): void {
    const now = clock();
    const renewal = renewalTime(session);
    slot.session = session;
    slot.trustedUntil = now < renewal ? renewal : addMs(now, RECHECK_MS);
  }

  /** Waits for a search. The search is aborted when no caller waits for it any more. */
  async function join(slot: Slot, search: Search, signal: AbortSignal): Promise<Result<SharedSession, RawAnswer>> {
    search.waiting += 1;
    try {
      return await unlessAborted(search.found, signal);
    } finally {
      search.waiting -= 1;
      if (search.waiting === 0) {
        search.stop.abort();
        if (slot.search === search) slot.search = null;
      }
    }
  }

  /** Removes a refused token. If it was the previous token of a renewed session, the new token stays. */
  async function drop(slot: Slot, owner: SessionOwner, session: SharedSession, token: string): Promise<void> {
    if (slot.session?.openedAt.getTime() === session.openedAt.getTime()) slot.session = null;
    const remaining = token === session.token ? null : { ...session, previous: null };
    // An error of the store is ignored, so that the caller still gets the provider's answer. If the token stays in the store, the next call
    // with the token is refused and removes it.
    await store.invalidate(owner, session.openedAt, remaining).catch(() => undefined);
  }

  return {
    /**
     * Returns a usable session, and waits for it if necessary. If no session can be opened, or if the database fails, returns an answer
     * that says why the call was never sent. Never throws. `drop` removes a refused token from this process and from the store that all
     * workers share, and never throws.
     */
    async get(owner: SessionOwner, options: SessionOptions, signal: AbortSignal) {
      const slot = slotOf(owner);
      for (;;) {
        const now = clock();
        const { session } = slot;
        const usable = session && usableToken(session, now);
        // While one call searches for a new session, other calls continue to use the current session.
        if (session && usable && (now < slot.trustedUntil || slot.search)) {
          return ok({ token: usable.token, drop: () => drop(slot, owner, session, usable.token) });
        }
        slot.search ??= startSearch(slot, owner, options);
        const found = await join(slot, slot.search, signal);
        if (!found.ok) return found;
      }
    },
  };
}

async function unlessAborted(found: Search['found'], signal: AbortSignal): Promise<Result<SharedSession, RawAnswer>> {
  const done = new AbortController();
  const aborted = Promise.withResolvers<Result<never, RawAnswer>>();
  const stop = () => aborted.resolve(fail(notSent('stopped while waiting for a session')));
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true, signal: done.signal });
  try {
    return await Promise.race([found, aborted.promise]);
  } finally {
    done.abort();
  }
}

/** Creates a store of sessions in the memory of this process. Use it to test whether an account can open a session. */
export function createPrivateSessions(): SessionStore {
  const sessions = new Map<string, SharedSession>();
  let leases = 0;
  return {
    find: async ({ id }) => sessions.get(id) ?? null,
    async claim() {
      leases += 1;
      return leases;
    },
    async save({ id }, _leaseToken, session) {
      sessions.set(id, session);
    },
    release: async () => undefined,
    async invalidate({ id }, _openedAt, remaining) {
      if (remaining) sessions.set(id, remaining);
      else sessions.delete(id);
    },
  };
}
