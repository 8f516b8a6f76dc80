import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { endSession, endSessions } from '@/lib/accounts/sessions/session-store';
import { recordEntry } from '@/lib/audit/record-entry';
import { isUuid } from '@/lib/core/ids';
import type { WriteRuntime } from '@/lib/runtime/runtime';

interface EndOptions {
  /** The session to end. Null to end all but the current one. */
  readonly id: string | null;
}

/** Ends one session or all other sessions of a user. Their next request is sent to the sign-in page. Returns how many ended. */
export async function endAccountSessions(
  runtime: WriteRuntime,
  { user, actor, sessionId }: AccountAccess,
  { id }: EndOptions,
): Promise<number> {
  if (id !== null && !isUuid(id)) return 0;
  const now = runtime.clock();
  return runtime.db.transaction(async (tx) => {
    const ended = id === null ? await endSessions(tx, user.id, sessionId, now) : Number(await endSession(tx, user.id, id, now));
    if (ended === 0) return 0;
    const entry = { merchantId: null, environment: null, actor, action: 'session.ended', subject: id ?? user.id };
    await recordEntry(runtime, { ...entry, data: { sessionsEnded: ended } }, tx);
    return ended;
  });
}
