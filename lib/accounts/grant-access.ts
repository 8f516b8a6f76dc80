import type { Environment, Runtime, Scope } from '@/lib/config/runtime';
import { fail, ok, type Result } from '@/lib/core/result';
import { readSession } from './sign-in';
import type { Membership, Role, User } from './store';

// Not exported: nobody else can make an object with this member, so whoever holds a MerchantAccess was let in here.
const granted = Symbol('granted');

/** The right of one person to see one merchant's data in one environment, at this moment. Every use case of the dashboard takes one. */
export interface MerchantAccess {
  readonly [granted]: true;
  readonly scope: Scope;
  readonly user: User;
  readonly role: Role;
  readonly merchant: { readonly slug: string; readonly name: string };
  /** Whether the merchant may do business in this environment. */
  readonly status: Membership['merchant']['profiles'][number]['status'];
  /** Every merchant this person may see, to switch to. */
  readonly merchants: readonly { readonly slug: string; readonly name: string }[];
}

interface GrantAccessOptions {
  readonly token: string | null;
  /** As the address names it. */
  readonly merchant: string;
  readonly environment: string;
}

/**
 * Decides who may see what, asking the database each time. A merchant that somebody is no member of is `not_found`, exactly
 * like one that does not exist.
 */
export async function grantAccess(
  runtime: Pick<Runtime, 'db' | 'clock'>,
  { token, merchant: slug, environment }: GrantAccessOptions,
): Promise<Result<MerchantAccess, 'signed_out' | 'not_found'>> {
  const session = token === null ? null : await readSession(runtime, token);
  if (!session) return fail('signed_out');
  const membership = session.memberships.find((candidate) => candidate.merchant.slug === slug);
  const profile = membership?.merchant.profiles.find((candidate) => candidate.environment === environment);
  if (!membership || !profile) return fail('not_found');
  const { id, name } = membership.merchant;
  return ok({
    [granted]: true,
    scope: { merchantId: id, environment: profile.environment },
    user: session.user,
    role: membership.role,
    merchant: { slug, name },
    status: profile.status,
    merchants: session.memberships.map(({ merchant }) => ({ slug: merchant.slug, name: merchant.name })),
  });
}

/** @returns whether a role may change things; a viewer only looks. */
export function mayChange({ role }: Pick<MerchantAccess, 'role'>): boolean {
  return role === 'owner' || role === 'admin';
}

/** @returns the address of a page of the dashboard. */
export function dashboardPath({ slug, environment, page }: { slug: string; environment: Environment; page: string }): string {
  return `/m/${slug}/${environment}/${page}`;
}
