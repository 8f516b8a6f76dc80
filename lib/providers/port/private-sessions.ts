import type { SessionStore, SharedSession } from './session-port';

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
