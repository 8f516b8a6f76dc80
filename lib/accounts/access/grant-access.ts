import { type Permission, type Role, roleMay } from '@/lib/accounts/permissions';
import { readSession, type SessionRuntime } from '@/lib/accounts/sessions/read-session';
import type { Membership, User } from '@/lib/accounts/store';
import { type Actor, userActor } from '@/lib/core/actor';
import { addMs, MINUTE_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Environment, Scope } from '@/lib/core/scope';
import { type FactorDue, factorDue, waitsForFactor } from './second-factor-rules';

/** How long it is enough to have proven who one is, before keys, team, secrets and second factors may be changed. */
const PROOF_MS = 15 * MINUTE_MS;

/** Why a person may not do something: the role does not allow it, or it does once they have set up a second factor. */
export type AccessRefusal = 'not_allowed' | 'second_factor_due';

/** As `AccessRefusal`, for changes that also need a recent proof of identity. */
export type ProvenRefusal = AccessRefusal | 'not_proven';

/** The right to act on one merchant's data in one environment. Use cases take one and call `authorize` first. */
export type Access = MerchantAccess | OperatorAccess;

// Not exported: only this file can make an object with this member, so every Access was granted here.
const granted = Symbol('granted');

/** The right of a command or of a part of Bili to act on one merchant's data in one environment. It includes every permission. */
interface OperatorAccess {
  readonly [granted]: true;
  readonly scope: Scope;
  readonly actor: Actor;
  readonly role: null;
  readonly billsOf: null;
}

/** The right of a member to act on one merchant's data in one environment, at this moment, as far as the role allows. */
export interface MerchantAccess {
  readonly [granted]: true;
  readonly scope: Scope;
  readonly actor: Actor;
  readonly user: User;
  readonly sessionId: string;
  /** When this session's owner last proved who they are. */
  readonly provenAt: Date;
  readonly role: Role;
  /** The person whose bills alone may be seen; null for all of the merchant's. */
  readonly billsOf: string | null;
  /** Where this person has to set up a second factor first. */
  readonly factorDue: FactorDue;
  readonly merchant: { readonly slug: string; readonly name: string };
  /** Whether the merchant may do business in this environment. */
  readonly status: Membership['merchant']['profiles'][number]['status'];
  /** Hears of what an action was refused; absent on pages, which ask only to offer no dead ends. */
  readonly refused?: (permission: Permission, why: AccessRefusal) => void;
  /** Every merchant this person may see, to switch to. */
  readonly merchants: readonly { readonly slug: string; readonly name: string }[];
}

interface GrantAccessOptions {
  readonly token: string | null;
  /** As the address names it. */
  readonly merchant: string;
  readonly environment: string;
  /** Where the request comes from. */
  readonly address?: string | null;
  /** Whether a page asks by itself, as it does for news. */
  readonly background?: boolean;
}

/**
 * Decides who may see what, asking the database each time. A merchant that somebody is no member of is `not_found`, exactly
 * like one that does not exist.
 */
export async function grantAccess(
  runtime: SessionRuntime,
  { token, merchant: slug, environment, address = null, background = false }: GrantAccessOptions,
): Promise<Result<MerchantAccess, 'signed_out' | 'not_found'>> {
  const session = token === null ? null : await readSession(runtime, token, { background });
  if (!session) return fail('signed_out');
  const membership = session.memberships.find((candidate) => candidate.merchant.slug === slug);
  const profile = membership?.merchant.profiles.find((candidate) => candidate.environment === environment);
  if (!membership || !profile) return fail('not_found');
  const { id, name, requireSecondFactor, profiles } = membership.merchant;
  const live = profiles.some((one) => one.environment === 'live' && one.status !== 'pending');
  return ok({
    [granted]: true,
    scope: { merchantId: id, environment: profile.environment },
    actor: userActor(session.user, address),
    user: session.user,
    sessionId: session.sessionId,
    provenAt: session.provenAt,
    role: membership.role,
    factorDue: factorDue({
      policy: runtime.settings.REQUIRE_SECOND_FACTOR,
      requiredByMerchant: requireSecondFactor,
      live,
      environment: profile.environment,
      has: session.secondFactor,
    }),
    billsOf: membership.role === 'collector' ? session.user.id : null,
    merchant: { slug, name },
    status: profile.status,
    merchants: session.memberships.map(({ merchant }) => ({ slug: merchant.slug, name: merchant.name })),
  });
}

/** Grants an operator's command, or a part of Bili, everything in one scope. Requests of members and API keys never get this. */
export function operatorAccess(actor: Actor, { merchantId, environment }: Scope): Access {
  if (actor.kind !== 'operator' && actor.kind !== 'system') throw new Error(`${actor.name} is not an operator`);
  return { [granted]: true, scope: { merchantId, environment }, actor, role: null, billsOf: null };
}

type Rights = { readonly role: null } | Pick<MerchantAccess, 'role' | 'factorDue' | 'refused'>;

/** Tells whether an action is allowed. Pages use this to hide what a member may not do; use cases call `authorize`. */
export function may(access: Rights, permission: Permission): boolean {
  return authorize(access, permission) === null;
}

/** Decides whether an action is allowed, and reports a refusal. Every use case starts with this. @returns null if it is allowed. */
export function authorize(access: Rights, permission: Permission): AccessRefusal | null {
  if (access.role === null) return null;
  const why = isFactorDue(access, permission) ? 'second_factor_due' : roleMay(access.role, permission) ? null : 'not_allowed';
  if (why) access.refused?.(permission, why);
  return why;
}

/** As `authorize`, for keys, secrets, team and settings: a member must also have proven their identity in the last minutes. */
export function authorizeProven(access: Access, permission: Permission, now: Date): ProvenRefusal | null {
  return authorize(access, permission) ?? (access.role === null || isProven(access, now) ? null : 'not_proven');
}

/** @returns whether somebody's role allows something that waits for their second factor. */
export function isFactorDue({ role, factorDue: due }: Pick<MerchantAccess, 'role' | 'factorDue'>, permission: Permission): boolean {
  return roleMay(role, permission) && waitsForFactor(due, permission);
}

/** @returns whether somebody proved who they are so lately that they may change keys, team, secrets and second factors. */
export function isProven({ provenAt }: { readonly provenAt: Date }, now: Date): boolean {
  return now < addMs(provenAt, PROOF_MS);
}

/** @returns the address of a page of the dashboard. */
export function dashboardPath({ slug, environment, page }: { slug: string; environment: Environment; page: string }): string {
  return `/m/${slug}/${environment}/${page}`;
}
