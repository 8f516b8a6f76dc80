import { roleMay } from '@/lib/accounts/permissions';
import { readSession, type SessionRuntime } from '@/lib/accounts/sessions/read-session';
import type { Membership } from '@/lib/accounts/store';
import { dashboardPath } from './grant-access';

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

/** Returns the path of a merchant's start page: the overview, or the bills for roles that may not see the overview. */
export function homePath({ merchant, role }: Membership): string {
  const page = roleMay(role, 'overview.view') ? 'overview' : 'bills';
  const live = merchant.profiles.some(({ environment, status }) => environment === 'live' && status === 'active');
  return dashboardPath({ slug: merchant.slug, environment: live ? 'live' : 'sandbox', page });
}
