import { roleMay } from '@/lib/accounts/permissions';
import { readSession, type SessionRuntime } from '@/lib/accounts/sessions/read-session';
import type { Membership } from '@/lib/accounts/store';
import { dashboardPath } from './grant-access';

/** Where somebody's dashboard begins. */
type Home = { readonly kind: 'signed_out' } | { readonly kind: 'no_merchant' } | { readonly kind: 'merchant'; readonly path: string };

/**
 * @returns the first merchant of a person, in the sandbox while live is not active: its overview for whoever may see that, else
 *   its bills.
 */
export async function findHome(runtime: SessionRuntime, token: string | null): Promise<Home> {
  const session = token === null ? null : await readSession(runtime, token);
  if (!session) return { kind: 'signed_out' };
  const membership = session.memberships[0];
  if (!membership) return { kind: 'no_merchant' };
  return { kind: 'merchant', path: homePath(membership) };
}

/** @returns where the dashboard of a merchant begins for one of its people. */
export function homePath({ merchant, role }: Membership): string {
  const page = roleMay(role, 'overview.view') ? 'overview' : 'bills';
  const live = merchant.profiles.some(({ environment, status }) => environment === 'live' && status === 'active');
  return dashboardPath({ slug: merchant.slug, environment: live ? 'live' : 'sandbox', page });
}
