import type { SessionStore, SharedSession } from './session-port';

/** Sessions that nobody else uses and that end with the process: to see whether an account can still open one. */
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
    async reduce({ id }, _openedAt, left) {
      if (left) sessions.set(id, left);
      else sessions.delete(id);
    },
  };
}
