import type { AccountAccess } from '@/lib/identity/accounts/access/grant-account';
import { endSessions, type ListedSession } from '@/lib/identity/accounts/access/session-store';
import { type SessionRuntime, usedSince } from '@/lib/identity/accounts/access/sessions';
import { type NameProblem, parsePersonName } from '@/lib/identity/accounts/person-name';
import { findUserByEmail } from '@/lib/identity/accounts/store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Actor } from '@/lib/platform/core/actor';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { WriteRuntime } from '@/lib/platform/runtime/runtime';

export async function changeName(runtime: WriteRuntime, { user, actor }: AccountAccess, name: string): Promise<Result<null, NameProblem>> {
  const read = parsePersonName(name);
  if (!read.ok) return fail(read.error);
  await runtime.db.transaction(async (tx) => {
    await tx.prisma.user.updateMany({ where: { id: user.id }, data: { name: read.value } });
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
  const now = clock();
  const sessions = await db.prisma.session.findMany({
    where: { userId: user.id, revokedAt: null, codeDue: false, expiresAt: { gt: now }, lastSeenAt: { gt: usedSince(settings, now) } },
    select: { id: true, userAgent: true, address: true, createdAt: true, lastSeenAt: true },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
  });
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
  return runtime.db.transaction(async (tx) => {
    const { count: ended } = await tx.prisma.session.updateMany({
      where: { userId: user.id, id: id ?? { not: sessionId }, revokedAt: null },
      data: { revokedAt: runtime.clock() },
    });
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
