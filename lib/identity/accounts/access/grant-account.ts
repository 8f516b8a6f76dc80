import { roleMay } from '@/lib/identity/accounts/permissions';
import type { Membership, SignedInUser } from '@/lib/identity/accounts/store';
import { type Actor, userActor } from '@/lib/platform/core/actor';
import { dashboardPath } from './grant-access';
import { readSession, type SessionRuntime } from './sessions';

// Not exported: only this file can create an object with this property, so every AccountAccess was granted here.
const granted = Symbol('granted');

/** The permission of a user to see and change their own account, at this moment. */
export interface AccountAccess {
  readonly [granted]: true;
  readonly actor: Actor;
  readonly user: SignedInUser;
  readonly sessionId: string;
  /** When the user of this session last proved their identity. */
  readonly provenAt: Date;
  /** The user's merchants and the paths of their start pages. */
  readonly merchants: readonly { readonly slug: string; readonly name: string; readonly path: string }[];
}

/** Grants a user access to their own account by a session token. Returns null if the session has ended. */
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
    merchants: session.memberships.map((membership) => ({
      slug: membership.merchant.slug,
      name: membership.merchant.name,
      path: homePath(membership),
    })),
  };
}

/** Returns whether a session is still open. Does not count as use of the session. */
export async function hasSession(runtime: SessionRuntime, token: string | null): Promise<boolean> {
  return token !== null && (await readSession(runtime, token, { background: true })) !== null;
}

/** Where the dashboard of a user starts. */
type Home = { readonly kind: 'signed_out' } | { readonly kind: 'no_merchant' } | { readonly kind: 'merchant'; readonly path: string };

/** Returns the start page of a user's first merchant: in live if it is active there, else in the sandbox. */
export async function findHome(runtime: SessionRuntime, token: string | null): Promise<Home> {
  const session = token === null ? null : await readSession(runtime, token);
  if (!session) return { kind: 'signed_out' };
  const membership = session.memberships[0];
  if (!membership) return { kind: 'no_merchant' };
  return { kind: 'merchant', path: homePath(membership) };
}

/** Returns the path of a merchant's start page: the overview, or the counter for roles that may not see the overview. */
function homePath({ merchant, role }: Membership): string {
  const page = roleMay(role, 'overview.view') ? 'overview' : 'counter';
  const live = merchant.profiles.some(({ environment, status }) => environment === 'live' && status === 'active');
  return dashboardPath({ slug: merchant.slug, environment: live ? 'live' : 'sandbox', page });
}
