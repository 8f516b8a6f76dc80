import { authorizeProven, type MerchantAccess, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { cashierLogin } from '@/lib/accounts/cashier-rules';
import { findCashier } from '@/lib/accounts/cashier-store';
import { type NameProblem, parsePersonName } from '@/lib/accounts/person-name';
import { invitationLink } from '@/lib/accounts/team/invitation-mail';
import { INVITATION_MS } from '@/lib/accounts/team/invitation-rules';
import { insertInvitation, revokeMerchantInvitations } from '@/lib/accounts/team/invitation-store';
import { isOverLimit } from '@/lib/accounts/team/invite-member';
import { inviteProblem } from '@/lib/accounts/team/team-rules';
import { lockTeam } from '@/lib/accounts/team-store';
import { hashToken, newToken } from '@/lib/accounts/token';
import { recordEntry } from '@/lib/audit/record-entry';
import { addMs } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { readMobile } from '@/lib/core/mobile';
import { fail, ok, type Result } from '@/lib/core/result';
import type { NotifyRuntime } from '@/lib/runtime/runtime';

type InviteCashierProblem = ProvenRefusal | NameProblem | 'owners_only' | 'mobile_wrong' | 'too_many';

export interface InvitedCashier {
  readonly name: string;
  readonly mobile: string;
  /** The link, for the inviting member to send. It is shown once. */
  readonly link: string;
}

/**
 * Creates a link by which a cashier joins on a phone and chooses a PIN. A cashier who is already in the team gets a link for another
 * device or a new PIN. Earlier links for the same number stop working.
 */
export async function inviteCashier(
  runtime: NotifyRuntime,
  access: MerchantAccess,
  typed: { readonly name: string; readonly mobile: string },
): Promise<Result<InvitedCashier, InviteCashierProblem>> {
  const refusal = authorizeProven(access, 'team.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { merchantId } = access.scope;
  const name = parsePersonName(typed.name);
  const mobile = readMobile(typed.mobile);
  return runtime.db.transaction(async (tx): Promise<Result<InvitedCashier, InviteCashierProblem>> => {
    const team = await lockTeam(tx, merchantId);
    const problem = inviteProblem(team, access.user.id, 'collector');
    if (problem) {
      access.refused?.('team.change', 'not_allowed');
      return fail(problem);
    }
    if (!name.ok) return fail(name.error);
    if (mobile === null) return fail('mobile_wrong');
    const email = cashierLogin(mobile, access.merchant.slug);
    if (await isOverLimit(runtime, tx, merchantId, false)) return fail('too_many');
    const [id, token, createdAt] = [newId(runtime), newToken(runtime.random), runtime.clock()];
    await revokeMerchantInvitations(tx, { merchantId, email, now: createdAt });
    const person = { name: name.value, mobile };
    await insertInvitation(tx, {
      ...person,
      id,
      merchantId,
      email,
      role: 'collector',
      tokenHash: hashToken(token),
      invitedBy: access.actor.name,
      mailed: false,
      createdAt,
      expiresAt: addMs(createdAt, INVITATION_MS),
    });
    const cashier = await findCashier(tx, merchantId, email);
    const entry = { merchantId, environment: null, actor: access.actor };
    const data = { email, role: 'collector', name: name.value };
    const what = cashier === null ? { action: 'invitation.sent', subject: id } : { action: 'cashier.link-created', subject: cashier };
    await recordEntry(runtime, { ...entry, ...what, data }, tx);
    return ok({ ...person, link: invitationLink(runtime, token) });
  });
}
