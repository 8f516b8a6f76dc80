import type { KeyScope } from '@/lib/identity/accounts/key-scopes';
import { keyMay, type Permission, type Protected, protectedBy, type Role, roleMay } from '@/lib/identity/accounts/permissions';
import type { Membership, SignedInUser } from '@/lib/identity/accounts/store';
import { findRole } from '@/lib/identity/accounts/team-store';
import type { Settings } from '@/lib/platform/config/settings';
import { type Actor, keyActor, userActor } from '@/lib/platform/core/actor';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment, Scope } from '@/lib/platform/core/scope';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import { readSession, type SessionRuntime } from './sessions';

/** How long a proof of identity is valid. Changes of keys, team, secrets and second factors need a valid one. */
const PROOF_MS = 15 * MINUTE_MS;

/** Why an action is refused. `second_factor_due`: the role allows it, but the member must set up a second factor first. */
export type AccessRefusal = 'not_allowed' | 'second_factor_due';

/** Why a change that needs a recent proof of identity is refused. `not_proven`: the last proof is not recent enough. */
export type ProvenRefusal = AccessRefusal | 'not_proven';

/** The right to act on one merchant's data in one environment. Use cases take one and call `authorize` first. */
export type Access = MerchantAccess | OperatorAccess;

// Not exported: only this file can create an object with this property, so every Access was granted here.
const granted = Symbol('granted');

/** The right of a command or of a part of Bili to act on one merchant's data in one environment. It includes every permission. */
interface OperatorAccess {
  readonly [granted]: true;
  readonly scope: Scope;
  readonly actor: Actor;
  readonly role: null;
  readonly billsOf: null;
}

/** The right of a merchant's server to act on the data of its own merchant and environment, limited to what its API key may do. */
export interface KeyAccess {
  readonly [granted]: true;
  readonly scope: Scope;
  readonly actor: Actor;
  readonly role: 'key';
  readonly keyScopes: readonly KeyScope[];
  readonly billsOf: null;
}

/** The right of a member to act on one merchant's data in one environment, at this moment, limited to what the role allows. */
export interface MerchantAccess {
  readonly [granted]: true;
  readonly scope: Scope;
  readonly actor: Actor;
  readonly user: SignedInUser;
  readonly sessionId: string;
  /** When the user of this session last proved their identity. */
  readonly provenAt: Date;
  readonly role: Role;
  /** If set, only the bills that this user created may be seen. Null for all bills of the merchant. */
  readonly billsOf: string | null;
  /** What the member may not change before setting up a second factor. */
  readonly factorDue: FactorDue;
  readonly merchant: { readonly slug: string; readonly name: string };
  /** The merchant's status in this environment. */
  readonly status: Membership['merchant']['profiles'][number]['status'];
  /** Called when an action is refused. Absent on pages, which only check what to show. */
  readonly refused?: (permission: Permission, why: AccessRefusal) => void;
  /** All merchants of the user, for the menu that switches between merchants. */
  readonly merchants: readonly { readonly slug: string; readonly name: string }[];
}

interface GrantAccessOptions {
  readonly token: string | null;
  /** The merchant's slug, from the URL. Null for the merchant of the cashier's device that started the session. */
  readonly merchant: string | null;
  readonly environment: string;
  readonly address?: string | null;
  /** True for a request that a page sends by itself, to refresh its data. Such a request does not count as use of the session. */
  readonly background?: boolean;
}

/**
 * Grants a member access, after reading the session from the database each time. If the user is not a member, the result is
 * `not_found`, as for a merchant that does not exist.
 */
export async function grantAccess(
  runtime: SessionRuntime,
  { token, merchant: slug, environment, address = null, background = false }: GrantAccessOptions,
): Promise<Result<MerchantAccess, 'signed_out' | 'not_found'>> {
  const session = token === null ? null : await readSession(runtime, token, { background });
  if (!session) return fail('signed_out');
  if (slug === null && session.cashierDeviceId === null) return fail('signed_out');
  // The account of a cashier belongs to one merchant.
  const membership = slug === null ? session.memberships[0] : session.memberships.find(({ merchant }) => merchant.slug === slug);
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
    merchant: { slug: membership.merchant.slug, name },
    status: profile.status,
    merchants: session.memberships.map(({ merchant }) => ({ slug: merchant.slug, name: merchant.name })),
  });
}

/** Grants an operator's command or a part of Bili all permissions in one scope. Members and API keys never get this. */
export function operatorAccess(actor: Actor, { merchantId, environment }: Scope): Access {
  if (actor.kind !== 'operator' && actor.kind !== 'system') throw new Error(`${actor.name} is not an operator`);
  return { [granted]: true, scope: { merchantId, environment }, actor, role: null, billsOf: null };
}

/** Grants a request what its API key may do. @param key the key that authenticated the request. */
export function keyAccess({ id, scopes }: { readonly id: string; readonly scopes: readonly KeyScope[] }, scope: Scope): KeyAccess {
  return { [granted]: true, scope, actor: keyActor(id), role: 'key', keyScopes: scopes, billsOf: null };
}

/** Returns the id of the member who acts, which stays when the e-mail address changes. Null for commands and API keys. */
export function personOf(access: Access | KeyAccess): string | null {
  return 'user' in access ? access.user.id : null;
}

type Rights = { readonly role: null } | Pick<KeyAccess, 'role' | 'keyScopes'> | Pick<MerchantAccess, 'role' | 'factorDue' | 'refused'>;

/** Returns whether an action is allowed. Pages use this to hide what a member may not do. Use cases call `authorize`. */
export function may(access: Rights, permission: Permission): boolean {
  return authorize(access, permission) === null;
}

/**
 * Checks whether an action is allowed. Returns null, or the refusal after reporting it to `access.refused`. Every use case starts with
 * this.
 */
export function authorize(access: Rights, permission: Permission): AccessRefusal | null {
  if (access.role === null) return null;
  if (access.role === 'key') return keyMay(access.keyScopes, permission) ? null : 'not_allowed';
  const why = isFactorDue(access, permission) ? 'second_factor_due' : roleMay(access.role, permission) ? null : 'not_allowed';
  if (why) access.refused?.(permission, why);
  return why;
}

/** Like `authorize`, for keys, secrets, team and settings: a member must also have proven their identity recently. */
export function authorizeProven(access: Access, permission: Permission, now: Date): ProvenRefusal | null {
  return authorize(access, permission) ?? (access.role === null || isProven(access, now) ? null : 'not_proven');
}

/** Returns whether the role has a permission that the member may not use before setting up a second factor. */
export function isFactorDue({ role, factorDue: due }: Pick<MerchantAccess, 'role' | 'factorDue'>, permission: Permission): boolean {
  return roleMay(role, permission) && needsFactor(due, permission);
}

/**
 * Returns the permission that a member needs to send another payment request: `counter.use` for a collector, `bills.change` for everybody
 * else. A collector may send requests only for their own bills, at the counter and on other pages.
 */
export function requestPermission({ billsOf }: Pick<Access, 'billsOf'>): Permission {
  return billsOf === null ? 'bills.change' : 'counter.use';
}

/** Returns whether the last proof of identity is recent enough to change keys, team, secrets and second factors. */
export function isProven({ provenAt }: { readonly provenAt: Date }, now: Date): boolean {
  return now < addMs(provenAt, PROOF_MS);
}

export function dashboardPath({ slug, environment, page }: { slug: string; environment: Environment; page: string }): string {
  return `/m/${slug}/${environment}/${page}`;
}

/** What a member may see, but may not change before setting up a second factor: team and settings, or keys, webhooks and existing bills. */
type FactorDue = Readonly<Record<Protected, boolean>>;

interface Requirement {
  readonly policy: Settings['REQUIRE_SECOND_FACTOR'];
  /** True if the merchant itself requires a second factor. If false, the operator's policy alone decides. */
  readonly requiredByMerchant: boolean;
  /** Whether the operator has ever activated the merchant in live. */
  readonly live: boolean;
  readonly environment: Environment;
  readonly has: boolean;
}

/** Pure. Returns what a member may not change before setting up a second factor. */
export function factorDue({ policy, requiredByMerchant, live, environment, has }: Requirement): FactorDue {
  if (has) return { merchant: false, environment: false };
  const everywhere = policy === 'all' || requiredByMerchant;
  const merchant = everywhere || (policy === 'live' && live);
  return { merchant, environment: everywhere || (merchant && environment === 'live') };
}

/** Pure. Returns whether a permission needs a second factor that the member does not have. */
export function needsFactor(due: FactorDue, permission: Permission): boolean {
  const about = protectedBy(permission);
  return about !== null && due[about];
}

/**
 * Returns whether a member still has a permission, with the same session and the present role. Use it for work that continues long after
 * access was granted, such as an export of millions of rows.
 */
export async function isStillAllowed({ db, clock }: ReadRuntime, access: MerchantAccess, permission: Permission): Promise<boolean> {
  const { scope, user, sessionId } = access;
  const role = await findRole(db, { merchantId: scope.merchantId, userId: user.id, sessionId, now: clock() });
  return role !== null && roleMay(role, permission);
}
