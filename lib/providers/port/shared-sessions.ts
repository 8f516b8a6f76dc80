import { addMs, type Clock, SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import { findSession, renewalTime, type SessionOptions, usableToken } from './find-session';
import type { RawAnswer } from './port';
import { notSent } from './raw-answer';
import type { SessionOwner, SessionStore, SharedSession } from './session-port';

export interface SessionDependencies {
  readonly clock: Clock;
  /** The store of the sessions that all workers share. */
  readonly sessions: SessionStore;
}

interface Session {
  readonly token: string;
  /** Removes the refused token from this process and from the store that all workers share. Never throws. */
  drop(): Promise<void>;
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
      .catch((error: unknown) => fail(notSent(`no session: ${error instanceof Error ? error.message : error}`)))
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
     * that says why the call was never sent. Never throws.
     */
    async get(owner: SessionOwner, options: SessionOptions, signal: AbortSignal): Promise<Result<Session, RawAnswer>> {
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
