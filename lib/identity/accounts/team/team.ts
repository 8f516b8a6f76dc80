import { authorize, isProven, type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { type ListedDevice, listDevices, revokeDevices } from '@/lib/identity/accounts/cashier-store';
import type { Role } from '@/lib/identity/accounts/permissions';
import { deleteMember, type ListedMember, listMembers, lockTeam, updateRole } from '@/lib/identity/accounts/team-store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { ReadRuntime, WriteRuntime } from '@/lib/platform/runtime/runtime';
import { type InvitationState, invitationState } from './invitation-rules';
import { LISTED, type ListedInvitation } from './invitation-store';
import { changeProblem, type TeamProblem } from './team-rules';

export type MemberView = ListedMember;

export interface TeamView {
  readonly members: readonly MemberView[];
  /** The devices on which cashiers sign in with a PIN. */
  readonly devices: readonly ListedDevice[];
  readonly invitations: readonly (ListedInvitation & { readonly state: InvitationState })[];
}

const INVITATIONS_SHOWN = 200;

/** Returns the members and pending invitations of a merchant's team, including expired invitations. Returns null if the role may not see them. */
export async function listTeam({ db, clock }: ReadRuntime, access: MerchantAccess): Promise<TeamView | null> {
  if (!may(access, 'team.view')) return null;
  const { merchantId } = access.scope;
  const [members, invitations, devices] = await Promise.all([
    listMembers(db, merchantId),
    db.prisma.invitation.findMany({
      where: { merchantId, acceptedAt: null, revokedAt: null },
      select: LISTED,
      orderBy: { id: 'desc' },
      take: INVITATIONS_SHOWN,
    }),
    listDevices(db, merchantId),
  ]);
  const now = clock();
  return { members, devices, invitations: invitations.map((one) => ({ ...one, state: invitationState(one, now) })) };
}

interface ChangeRoleOptions {
  readonly userId: string;
  /** The new role. Null removes the member from the team. Members may remove themselves. */
  readonly role: Role | null;
}

/**
 * Changes a member's role or removes the member. The change applies to the member's next request, because every request reads the
 * memberships. The actor's own role is read again under the team lock, so that two owners cannot demote each other at once. Returns
 * the member's e-mail address.
 */
export async function changeRole(
  runtime: WriteRuntime,
  access: MerchantAccess,
  { userId, role }: ChangeRoleOptions,
): Promise<Result<string, TeamProblem>> {
  const leaves = userId === access.user.id && role === null;
  const refusal = leaves ? null : authorize(access, 'team.change');
  if (refusal) return fail(refusal);
  if (!isProven(access, runtime.clock())) return fail('not_proven');
  const { merchantId } = access.scope;
  return runtime.db.transaction(async (tx) => {
    const team = await lockTeam(tx, merchantId);
    const acting = team.find((one) => one.userId === access.user.id);
    const member = team.find((one) => one.userId === userId);
    if (!acting) return fail('not_allowed');
    if (!member) return fail('no_such_member');
    const owners = team.filter((one) => one.role === 'owner').length;
    const problem = changeProblem({ actor: acting.role, self: member === acting, from: member.role, to: role, owners });
    if (problem) {
      if (problem !== 'last_owner') access.refused?.('team.change', 'not_allowed');
      return fail(problem);
    }
    // A cashier who signs in with a PIN cannot get another role: a PIN is not enough for what the other roles may do, and cashiers have no
    // mailbox.
    if (member.mobile !== null && role !== null && role !== 'collector') return fail('cashier_only');
    if (role === null) {
      await deleteMember(tx, merchantId, userId);
      await revokeDevices(tx, { merchantId, userId, id: null, now: runtime.clock() });
    } else await updateRole(tx, merchantId, userId, role);
    const action = role !== null ? 'member.role_changed' : member === acting ? 'member.left' : 'member.removed';
    const data = { member: member.email, before: { role: member.role }, after: { role } };
    await recordEntry(runtime, { merchantId, environment: null, actor: access.actor, action, subject: userId, data }, tx);
    return ok(member.email);
  });
}
