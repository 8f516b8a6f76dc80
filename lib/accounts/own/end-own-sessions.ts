import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { endSession, endSessions } from '@/lib/accounts/sessions/session-store';
import { recordEntry } from '@/lib/audit/record-entry';
import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';

interface EndOptions {
  /** Which; null for all but the one that asks. */
  readonly id: string | null;
  readonly address: string | null;
}

/** Ends sessions of one's own: the next request with one of them is turned away. @returns how many ended. */
export async function endOwnSessions(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { user, sessionId }: AccountAccess,
  { id, address }: EndOptions,
): Promise<number> {
  if (id !== null && !isUuid(id)) return 0;
  const now = runtime.clock();
  return runtime.db.transaction(async (tx) => {
    const ended = id === null ? await endSessions(tx, user.id, sessionId, now) : Number(await endSession(tx, user.id, id, now));
    if (ended === 0) return 0;
    const entry = {
      merchantId: null,
      environment: null,
      actor: `user:${user.email}`,
      action: 'session.ended',
      subject: id ?? user.id,
      address,
    };
    await recordEntry(runtime, { ...entry, data: { sessionsEnded: ended } }, tx);
    return ended;
  });
}
