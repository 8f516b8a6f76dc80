import { authorize, isProven, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { revokeDevices } from '@/lib/accounts/cashier-store';
import type { Role } from '@/lib/accounts/permissions';
import { deleteMember, lockTeam, updateRole } from '@/lib/accounts/team-store';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { changeProblem, type TeamProblem } from './team-rules';

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
