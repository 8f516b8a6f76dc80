import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import type { Role } from '@/lib/accounts/permissions';
import { lockTeam } from '@/lib/accounts/team-store';
import { hashToken, newToken } from '@/lib/accounts/token';
import { recordEntry } from '@/lib/audit/record-entry';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { isMailAddress } from '@/lib/core/mailbox';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Connection } from '@/lib/db/database';
import { isEmail } from '@/lib/merchants/rules';
import type { NotifyRuntime, Runtime } from '@/lib/runtime/runtime';
import { invitationLink, mailInvitation } from './invitation-mail';
import { INVITATION_MS, isOverInvitationLimit, normalEmail } from './invitation-rules';
import { countInvitationsSent, insertInvitation, isInvited } from './invitation-store';
import { inviteProblem } from './team-rules';

export type InviteRuntime = NotifyRuntime;

export type InviteProblem = ProvenRefusal | 'owners_only' | 'email_wrong' | 'already_member' | 'already_invited' | 'too_many';

interface InviteMemberOptions {
  /** The e-mail address, as it was entered. */
  readonly email: string;
  readonly role: Role;
  /** Whether to send the invitation by e-mail, if a mail server is set up. */
  readonly mail?: boolean;
}

export interface SentInvitation {
  readonly id: string;
  readonly email: string;
  /** The phone number and name of a cashier. Null for an invitation by e-mail address. */
  readonly mobile: string | null;
  readonly name: string | null;
  /** The link, for the inviting member to hand over. It is shown once. Null if it was mailed. */
  readonly link: string | null;
}

/**
 * Invites a person, with or without an account, to a merchant's team. Only an owner may invite owners and admins. The inviting
 * member's role is read again under the lock of the team, so that a member who is demoted at the same moment is refused.
 */
export async function inviteMember(
  runtime: InviteRuntime,
  access: Access,
  { email: typed, role, mail = true }: InviteMemberOptions,
): Promise<Result<SentInvitation, InviteProblem>> {
  const refusal = authorizeProven(access, 'team.change', runtime.clock());
  if (refusal) return fail(refusal);
  const { merchantId } = access.scope;
  return runtime.db.transaction(async (tx): Promise<Result<SentInvitation, InviteProblem>> => {
    const team = await lockTeam(tx, merchantId);
    const problem = access.role === null ? null : inviteProblem(team, access.user.id, role);
    if (problem) {
      if (access.role !== null) access.refused?.('team.change', 'not_allowed');
      return fail(problem);
    }
    const email = normalEmail(typed);
    if (!isEmail(email) || !isMailAddress(email)) return fail('email_wrong');
    if (team.some((member) => member.email === email)) return fail('already_member');
    if (await isInvited(tx, merchantId, email)) return fail('already_invited');
    if (await isOverLimit(runtime, tx, merchantId, mail)) return fail('too_many');
    return ok(await sendInvitation(runtime, tx, access, { email, role, mail }));
  });
}

async function sendInvitation(
  runtime: InviteRuntime,
  tx: Connection,
  { scope: { merchantId }, actor }: Access,
  { email, role, mail }: Required<InviteMemberOptions>,
): Promise<SentInvitation> {
  const id = newId(runtime);
  const token = newToken(runtime.random);
  const createdAt = runtime.clock();
  const expiresAt = addMs(createdAt, INVITATION_MS);
  const mailed = mail && runtime.settings.mail !== undefined;
  await insertInvitation(tx, {
    id,
    merchantId,
    email,
    role,
    tokenHash: hashToken(token),
    invitedBy: actor.name,
    mailed,
    createdAt,
    expiresAt,
  });
  const entry = { merchantId, environment: null, actor, subject: id };
  await recordEntry(runtime, { ...entry, action: 'invitation.sent', data: { email, role } }, tx);
  if (mailed) await mailInvitation(runtime, tx, { merchantId, email, role, token, expiresAt });
  return { id, email, mobile: null, name: null, link: mailed ? null : invitationLink(runtime, token) };
}

/** Returns whether a limit forbids the next invitation. Needs the team lock, so that concurrent invitations are counted. */
export async function isOverLimit(
  { clock, settings }: Pick<Runtime, 'clock' | 'settings'>,
  tx: Connection,
  merchantId: string,
  mail: boolean,
): Promise<boolean> {
  const { live, ...sent } = await countInvitationsSent(tx, merchantId, addMs(clock(), -DAY_MS));
  return isOverInvitationLimit(sent, { byMail: mail && settings.mail !== undefined, live });
}
