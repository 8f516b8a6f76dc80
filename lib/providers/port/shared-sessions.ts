import { addMs, type Clock, SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import { findSession, type OpenSession, renewalOf, servingAt } from './find-session';
import type { RawAnswer } from './port';
import { notSent } from './raw-answer';
import type { SessionOwner, SessionStore, SharedSession } from './session-port';

/** A session to make a call under. */
interface Session {
  readonly token: string;
  /** Forgets it in every worker, for it was refused. Never throws. */
  drop(): Promise<void>;
}

interface SharedSessions {
  /**
   * @returns a session that serves now, waiting for it if need be; or an answer that says that the call was never sent, and
   *   why. Never throws: without the database, too, the call was certainly not sent.
   */
  get(owner: SessionOwner, how: OpenSession, signal: AbortSignal): Promise<Result<Session, RawAnswer>>;
}

/** How long a session that could not be renewed, or that somebody else renews, is used on before anybody looks again. */
const LOOK_AGAIN_MS = 15 * SECOND_MS;

interface Search {
  readonly found: Promise<Result<SharedSession, RawAnswer>>;
  readonly stop: AbortController;
  waiting: number;
}

/** What this process knows of an account's session. */
interface Slot {
  readonly credentials: SessionOwner['credentials'];
  session: SharedSession | null;
  /** Until then it is used without asking the store. */
  trustedUntil: Date;
  /** The one look into the store that is under way. */
  search: Search | null;
}

/** One session per account for all workers, remembered here so that a call under it costs no query. */
export function createSharedSessions(store: SessionStore, clock: Clock): SharedSessions {
  const slots = new Map<string, Slot>();

  function slotOf({ id, credentials }: SessionOwner): Slot {
    const known = slots.get(id);
    if (known?.credentials === credentials) return known;
    const slot: Slot = { credentials, session: null, trustedUntil: new Date(0), search: null };
    slots.set(id, slot);
    return slot;
  }

  function startSearch(slot: Slot, owner: SessionOwner, how: OpenSession): Search {
    const stop = new AbortController();
    const found = findSession({ store, clock }, owner, how, stop.signal)
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
    const renewal = renewalOf(session);
    slot.session = session;
    slot.trustedUntil = now < renewal ? renewal : addMs(now, LOOK_AGAIN_MS);
  }

  /** Waits for a search with everybody else; who leaves last ends it. */
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

  /** What is left of a session without a token that was refused: the new one of two, where the old one was. */
  async function drop(slot: Slot, owner: SessionOwner, session: SharedSession, token: string): Promise<void> {
    if (slot.session?.openedAt.getTime() === session.openedAt.getTime()) slot.session = null;
    const left = token === session.token ? null : { ...session, previous: null };
    // The answer that the caller has matters more: a session that is not dropped is refused, and dropped, once more.
    await store.reduce(owner, session.openedAt, left).catch(() => undefined);
  }

  return {
    async get(owner, how, signal) {
      const slot = slotOf(owner);
      for (;;) {
        const now = clock();
        const { session } = slot;
        const serves = session && servingAt(session, now);
        // While one call looks for a new one, the others use it on.
        if (session && serves && (now < slot.trustedUntil || slot.search)) {
          return ok({ token: serves.token, drop: () => drop(slot, owner, session, serves.token) });
        }
        slot.search ??= startSearch(slot, owner, how);
        const found = await join(slot, slot.search, signal);
        if (!found.ok) return found;
      }
    },
  };
}

async function unlessAborted(coming: Search['found'], signal: AbortSignal): Promise<Result<SharedSession, RawAnswer>> {
  const done = new AbortController();
  const aborted = Promise.withResolvers<Result<never, RawAnswer>>();
  const stop = () => aborted.resolve(fail(notSent('stopped while waiting for a session')));
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true, signal: done.signal });
  try {
    return await Promise.race([coming, aborted.promise]);
  } finally {
    done.abort();
  }
}
