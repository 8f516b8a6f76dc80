import { type AccessRefusal, findRefusal, isProven, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import type { Role } from '@/lib/accounts/permissions';
import { lockTeam } from '@/lib/accounts/team-store';
import { fail, type Result } from '@/lib/core/result';
import { type InviteProblem, type InviteRuntime, inviteInTransaction, type SentInvitation } from './invite-member';
import { inviteProblem } from './team-rules';

interface InviteOwnMemberOptions {
  readonly email: string;
  readonly role: Role;
  readonly address: string | null;
}

/**
 * A member invites a person to the own merchant's team; owners and admins only an owner. Who invites is read again under the
 * team's lock: somebody demoted in the same moment is too late.
 */
export async function inviteOwnMember(
  runtime: InviteRuntime,
  access: MerchantAccess,
  { email, role, address }: InviteOwnMemberOptions,
): Promise<Result<SentInvitation, InviteProblem | AccessRefusal | 'not_proven' | 'owners_only'>> {
  const refusal = findRefusal(access, 'team.change');
  if (refusal) return fail(refusal);
  if (!isProven(access, runtime.clock())) return fail('not_proven');
  const { merchantId } = access.scope;
  return runtime.db.transaction(async (tx) => {
    const team = await lockTeam(tx, merchantId);
    const problem = inviteProblem(team, access.user.id, role);
    if (problem) {
      access.refused?.('team.change', 'not_allowed');
      return fail(problem);
    }
    return inviteInTransaction(runtime, tx, team, { merchantId, email, role, actor: `user:${access.user.email}`, address, mail: true });
  });
}
