import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { markInvitationRevoked } from './invitation-store';
import { type InvitationProblem, withInvitation } from './with-invitation';

/** Revokes a pending invitation and returns its e-mail address. */
export async function revokeInvitation(
  runtime: WriteRuntime,
  access: MerchantAccess,
  id: string,
): Promise<Result<string, InvitationProblem>> {
  return withInvitation(runtime, access, id, async (tx, { merchantId, email, role }) => {
    await markInvitationRevoked(tx, id, runtime.clock());
    const entry = { merchantId, environment: null, actor: access.actor, subject: id };
    await recordEntry(runtime, { ...entry, action: 'invitation.revoked', data: { email, role } }, tx);
    return ok(email);
  });
}
