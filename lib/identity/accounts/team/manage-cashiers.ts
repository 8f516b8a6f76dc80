import { authorizeProven, type MerchantAccess, type ProvenRefusal } from '@/lib/identity/accounts/access/grant-access';
import { cashierLogin } from '@/lib/identity/accounts/cashier-rules';
import { findCashier, listDevices, revokeDevices } from '@/lib/identity/accounts/cashier-store';
import { type NameProblem, parsePersonName } from '@/lib/identity/accounts/person-name';
import { lockTeam } from '@/lib/identity/accounts/team-store';
import { hashToken, newToken } from '@/lib/identity/accounts/token';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { addMs } from '@/lib/platform/core/clock';
import { isUuid, newId } from '@/lib/platform/core/ids';
import { readMobile } from '@/lib/platform/core/mobile';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { NotifyRuntime, WriteRuntime } from '@/lib/platform/runtime/runtime';
import { INVITATION_MS } from './invitation-rules';
import { insertInvitation } from './invitation-store';
import { invitationLink, isOverLimit } from './invite-member';
import { inviteProblem } from './team-rules';

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
    await tx.prisma.invitation.updateMany({
      where: { merchantId, email, acceptedAt: null, revokedAt: null },
      data: { revokedAt: createdAt },
    });
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

/** Revokes a device of a cashier, for example a lost phone, and ends its sessions. */
export async function revokeDevice(
  runtime: WriteRuntime,
  access: MerchantAccess,
  id: string,
): Promise<Result<null, ProvenRefusal | 'owners_only' | 'no_such_device'>> {
  const refusal = authorizeProven(access, 'team.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { merchantId } = access.scope;
  return runtime.db.transaction(async (tx) => {
    const problem = inviteProblem(await lockTeam(tx, merchantId), access.user.id, 'collector');
    if (problem) return fail(problem);
    const device = isUuid(id) ? (await listDevices(tx, merchantId)).find((one) => one.id === id) : undefined;
    if (!device) return fail('no_such_device');
    const { userId } = device;
    await revokeDevices(tx, { merchantId, userId, id, now: runtime.clock() });
    const entry = { merchantId, environment: null, actor: access.actor, action: 'cashier.device-revoked', subject: userId };
    await recordEntry(runtime, { ...entry, data: { device: id } }, tx);
    return ok(null);
  });
}
