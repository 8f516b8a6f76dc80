import { type AccessRefusal, authorize, isProven, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { findCashier } from '@/lib/accounts/cashier-store';
import { lockTeam } from '@/lib/accounts/team-store';
import { hashToken, newToken } from '@/lib/accounts/token';
import { recordEntry } from '@/lib/audit/record-entry';
import { addMs } from '@/lib/core/clock';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Connection } from '@/lib/db/database';
import type { ReadRuntime, WriteRuntime } from '@/lib/runtime/runtime';
import { invitationLink, mailInvitation } from './invitation-mail';
import { INVITATION_MS } from './invitation-rules';
import { type FoundInvitation, lockInvitation, markInvitationRevoked, renewInvitation } from './invitation-store';
import { type InviteRuntime, isOverLimit, type SentInvitation } from './invite-member';
import { inviteProblem } from './team-rules';

type InvitationProblem = AccessRefusal | 'not_proven' | 'owners_only' | 'no_such_invitation';

/**
 * Locks a pending invitation and runs `act` on it in one transaction. The actor's role is read under the team lock, so that a
 * member who was just demoted cannot act.
 */
async function withInvitation<T, E>(
  { db, clock }: ReadRuntime,
  access: MerchantAccess,
  id: string,
  act: (tx: Connection, found: FoundInvitation) => Promise<Result<T, E>>,
): Promise<Result<T, E | InvitationProblem>> {
  const refusal = authorize(access, 'team.change');
  if (refusal) return fail(refusal);
  if (!isProven(access, clock())) return fail('not_proven');
  if (!isUuid(id)) return fail('no_such_invitation');
  const { merchantId } = access.scope;
  return db.transaction(async (tx) => {
    const team = await lockTeam(tx, merchantId);
    const found = await lockInvitation(tx, merchantId, id);
    if (!found) return fail('no_such_invitation');
    const problem = inviteProblem(team, access.user.id, found.role);
    if (!problem) return act(tx, found);
    access.refused?.('team.change', 'not_allowed');
    return fail(problem);
  });
}

/** Resends an invitation with a new link that works for seven days. The old link stops working. */
export async function resendInvitation(
  runtime: InviteRuntime,
  access: MerchantAccess,
  id: string,
): Promise<Result<SentInvitation, InvitationProblem | 'too_many'>> {
  return withInvitation(runtime, access, id, async (tx, { merchantId, email, mobile, name, role }) => {
    const mailed = mobile === null && runtime.settings.mail !== undefined;
    if (await isOverLimit(runtime, tx, merchantId, mailed)) return fail('too_many');
    const token = newToken(runtime.random);
    const expiresAt = addMs(runtime.clock(), INVITATION_MS);
    await renewInvitation(tx, id, { tokenHash: hashToken(token), expiresAt, mailed });
    const entry = { merchantId, environment: null, actor: access.actor, subject: id };
    const cashier = mobile === null ? null : await findCashier(tx, merchantId, email);
    const what = cashier === null ? { action: 'invitation.sent_again' } : { action: 'cashier.link-created', subject: cashier };
    await recordEntry(runtime, { ...entry, ...what, data: { email, role } }, tx);
    if (mailed) await mailInvitation(runtime, tx, { merchantId, email, role, token, expiresAt });
    return ok({ id, email, mobile, name, link: mailed ? null : invitationLink(runtime, token) });
  });
}

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
