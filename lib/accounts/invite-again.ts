import { recordEntry } from '@/lib/audit/record-entry';
import { addMs } from '@/lib/core/clock';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { isProven, type MerchantAccess, may } from './grant-access';
import { invitationLink, mailInvitation } from './invitation-mail';
import { INVITATION_MS } from './invitation-rules';
import { lockInvitation, renewInvitation } from './invitation-store';
import { type Invited, type InviteRuntime, isOverLimit } from './invite-member';
import { inviteProblem } from './team-rules';
import { lockTeam } from './team-store';
import { hashToken, newToken } from './token';

export type InviteAgainProblem = 'not_allowed' | 'not_proven' | 'owners_only' | 'no_such_invitation' | 'too_many';

/** Sends an invitation again, with a new link for another seven days; the old link opens nothing any more. Who acts is read under the lock. */
export async function inviteAgain(
  runtime: InviteRuntime,
  access: MerchantAccess,
  { id, address }: { readonly id: string; readonly address: string | null },
): Promise<Result<Invited, InviteAgainProblem>> {
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
    if (await isOverLimit(runtime, tx, merchantId)) return fail('too_many');
    const token = newToken(runtime.random);
    const expiresAt = addMs(runtime.clock(), INVITATION_MS);
    await renewInvitation(tx, id, { tokenHash: hashToken(token), expiresAt });
    const entry = { merchantId, environment: null, actor: `user:${access.user.email}`, subject: id, address };
    await recordEntry(runtime, { ...entry, action: 'invitation.sent_again', data: { email, role } }, tx);
    const mailed = await mailInvitation(runtime, tx, { merchantId, email, role, token, expiresAt });
    return ok({ id, email, link: mailed ? null : invitationLink(runtime, token) });
  });
}
