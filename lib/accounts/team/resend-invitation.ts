import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { hashToken, newToken } from '@/lib/accounts/token';
import { recordEntry } from '@/lib/audit/record-entry';
import { addMs } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import { invitationLink, mailInvitation } from './invitation-mail';
import { INVITATION_MS } from './invitation-rules';
import { renewInvitation } from './invitation-store';
import { type InviteRuntime, isOverLimit, type SentInvitation } from './invite-member';
import { type InvitationProblem, withInvitation } from './with-invitation';

/** Resends an invitation with a new link that works for seven days. The old link stops working. */
export async function resendInvitation(
  runtime: InviteRuntime,
  access: MerchantAccess,
  id: string,
): Promise<Result<SentInvitation, InvitationProblem | 'too_many'>> {
  return withInvitation(runtime, access, id, async (tx, { merchantId, email, role }) => {
    if (await isOverLimit(runtime, tx, merchantId, true)) return fail('too_many');
    const mailed = runtime.settings.mail !== undefined;
    const token = newToken(runtime.random);
    const expiresAt = addMs(runtime.clock(), INVITATION_MS);
    await renewInvitation(tx, id, { tokenHash: hashToken(token), expiresAt, mailed });
    const entry = { merchantId, environment: null, actor: access.actor, subject: id };
    await recordEntry(runtime, { ...entry, action: 'invitation.sent_again', data: { email, role } }, tx);
    if (mailed) await mailInvitation(runtime, tx, { merchantId, email, role, token, expiresAt });
    return ok({ id, email, link: mailed ? null : invitationLink(runtime, token) });
  });
}
