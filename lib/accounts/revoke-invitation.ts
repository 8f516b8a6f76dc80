import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { isProven, type MerchantAccess, may } from './grant-access';
import { lockInvitation, markInvitationRevoked } from './invitation-store';
import type { InviteAgainProblem } from './invite-again';
import { inviteProblem } from './team-rules';
import { lockTeam } from './team-store';

/** Takes an invitation back that nobody has taken up. Who acts is read under the team's lock. */
export async function revokeInvitation(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { id, address }: { readonly id: string; readonly address: string | null },
): Promise<Result<string, Exclude<InviteAgainProblem, 'too_many'>>> {
  if (!may(access, 'team.change')) return fail('not_allowed');
  if (!isProven(access, runtime.clock())) return fail('not_proven');
  if (!isUuid(id)) return fail('no_such_invitation');
  const { merchantId } = access.scope;
  return runtime.db.transaction(async (tx) => {
    const team = await lockTeam(tx, merchantId);
    const found = await lockInvitation(tx, merchantId, id);
    if (!found) return fail('no_such_invitation');
    const { email, role } = found;
    const problem = inviteProblem(team, access.user.id, role);
    if (problem) return fail(problem);
    await markInvitationRevoked(tx, id, runtime.clock());
    const entry = { merchantId, environment: null, actor: `user:${access.user.email}`, subject: id, address };
    await recordEntry(runtime, { ...entry, action: 'invitation.revoked', data: { email, role } }, tx);
    return ok(email);
  });
}
