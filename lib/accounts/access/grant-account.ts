import { readSession, type SessionRuntime } from '@/lib/accounts/sessions/read-session';
import type { User } from '@/lib/accounts/store';
import { type Actor, userActor } from '@/lib/core/actor';
import { homePath } from './find-home';

// Not exported: nobody else can make an object with this member, so whoever holds an AccountAccess was let in here.
const granted = Symbol('granted');

/** The right of one person to see and change their own account, at this moment. */
export interface AccountAccess {
  readonly [granted]: true;
  readonly actor: Actor;
  readonly user: User;
  readonly sessionId: string;
  /** When this session's owner last proved who they are. */
  readonly provenAt: Date;
  /** The merchants of this person, and where the dashboard of each begins. */
  readonly merchants: readonly { readonly name: string; readonly path: string }[];
}

/** @returns who may see their account by a session's token; null when the session has ended. */
export async function grantAccount(
  runtime: SessionRuntime,
  token: string | null,
  address: string | null = null,
): Promise<AccountAccess | null> {
  const session = token === null ? null : await readSession(runtime, token);
  if (!session) return null;
  return {
    [granted]: true,
    actor: userActor(session.user, address),
    user: session.user,
    sessionId: session.sessionId,
    provenAt: session.provenAt,
    merchants: session.memberships.map((membership) => ({ name: membership.merchant.name, path: homePath(membership) })),
  };
}

/** @returns whether a session's token still opens anything. Asking does not prolong it. */
export async function hasSession(runtime: SessionRuntime, token: string | null): Promise<boolean> {
  return token !== null && (await readSession(runtime, token, { background: true })) !== null;
}
