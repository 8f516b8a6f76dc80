import type { Runtime } from '@/lib/config/runtime';
import { dashboardPath } from './grant-access';
import { readSession } from './sign-in';

/** Where somebody's dashboard begins. */
export type Home =
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'no_merchant' }
  | { readonly kind: 'merchant'; readonly path: string };

/** @returns the first merchant of a person: its live bills, or the sandbox ones while live is not active. */
export async function findHome(runtime: Pick<Runtime, 'db' | 'clock'>, token: string | null): Promise<Home> {
  const session = token === null ? null : await readSession(runtime, token);
  if (!session) return { kind: 'signed_out' };
  const merchant = session.memberships[0]?.merchant;
  if (!merchant) return { kind: 'no_merchant' };
  const live = merchant.profiles.some(({ environment, status }) => environment === 'live' && status === 'active');
  return { kind: 'merchant', path: dashboardPath({ slug: merchant.slug, environment: live ? 'live' : 'sandbox', page: 'bills' }) };
}
