import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { type NameProblem, parsePersonName } from '@/lib/accounts/person-name';
import { type SessionRuntime, usedSince } from '@/lib/accounts/sessions/read-session';
import { endSession, endSessions, type ListedSession, listSessions } from '@/lib/accounts/sessions/session-store';
import { findUserByEmail, writeName } from '@/lib/accounts/store';
import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';

export async function changeName(runtime: WriteRuntime, { user, actor }: AccountAccess, name: string): Promise<Result<null, NameProblem>> {
  const read = parsePersonName(name);
  if (!read.ok) return fail(read.error);
  await runtime.db.transaction(async (tx) => {
    await writeName(tx, user.id, read.value);
    const data = { before: { name: user.name }, after: { name: read.value } };
    const entry = { merchantId: null, environment: null, actor, action: 'name.changed', subject: user.id };
    await recordEntry(runtime, { ...entry, data }, tx);
  });
  return ok(null);
}

export interface AccountSession extends ListedSession {
  readonly current: boolean;
}

/** Lists the sessions of a person, the current one first. */
export async function listAccountSessions(
  { db, clock, settings }: SessionRuntime,
  { user, sessionId }: AccountAccess,
): Promise<AccountSession[]> {
  const sessions = await listSessions(db, user.id, { now: clock(), usedSince: usedSince(settings, clock()) });
  return sessions
    .map((session) => ({ ...session, current: session.id === sessionId }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}

interface EndOptions {
  /** The session to end. Null to end all but the current one. */
  readonly id: string | null;
}

/**
 * Ends one session of a user, or all but the current one. The next request of an ended session is sent to the sign-in page. Returns how
 * many sessions ended.
 */
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

/**
 * Ends all sessions of a person, on behalf of the operator, for example if a phone was stolen. The person can sign in again. Returns how many
 * sessions ended, or null if nobody has this e-mail address.
 */
export async function endPersonSessions(
  runtime: WriteRuntime,
  { email, actor }: { readonly email: string; readonly actor: Actor },
): Promise<number | null> {
  const user = await findUserByEmail(runtime.db, email.trim());
  if (!user) return null;
  return runtime.db.transaction(async (tx) => {
    const ended = await endSessions(tx, user.id, null, runtime.clock());
    const entry = { merchantId: null, environment: null, actor, action: 'session.ended', subject: user.id };
    await recordEntry(runtime, { ...entry, data: { sessionsEnded: ended } }, tx);
    return ended;
  });
}
