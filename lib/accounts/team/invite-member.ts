import type { Role } from '@/lib/accounts/permissions';
import { lockTeam, type TeamMember } from '@/lib/accounts/team-store';
import { hashToken, newToken } from '@/lib/accounts/token';
import { recordEntry } from '@/lib/audit/record-entry';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { isMailAddress } from '@/lib/core/mailbox';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Connection } from '@/lib/db/database';
import { isEmail } from '@/lib/merchants/rules';
import type { Runtime } from '@/lib/runtime/runtime';
import { invitationLink, mailInvitation } from './invitation-mail';
import { INVITATION_MS, isOverInvitationLimit, normalEmail } from './invitation-rules';
import { countInvitationsSent, insertInvitation, isInvited } from './invitation-store';

export type InviteRuntime = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings' | 'secrets'>;

export type InviteProblem = 'email_wrong' | 'already_member' | 'already_invited' | 'too_many';

interface InviteMemberOptions {
  readonly merchantId: string;
  /** The e-mail address, as typed. */
  readonly email: string;
  readonly role: Role;
  readonly actor: string;
  readonly address: string | null;
  /** Whether the invitation is mailed if a mail server is set up. */
  readonly mail: boolean;
}

export interface SentInvitation {
  readonly id: string;
  readonly email: string;
  /** The link, for the inviting member to hand over. It is shown once. Null if it was mailed. */
  readonly link: string | null;
}

/** Invites a person to a merchant's team, with or without an account. The caller checks that the actor has permission. */
export async function inviteMember(runtime: InviteRuntime, options: InviteMemberOptions): Promise<Result<SentInvitation, InviteProblem>> {
  return runtime.db.transaction(async (tx) => inviteInTransaction(runtime, tx, await lockTeam(tx, options.merchantId), options));
}

/** Like `inviteMember`, in a transaction that has locked the team and has checked the actor's role in it. */
export async function inviteInTransaction(
  runtime: InviteRuntime,
  tx: Connection,
  team: readonly TeamMember[],
  { merchantId, email: typed, role, actor, address, mail }: InviteMemberOptions,
): Promise<Result<SentInvitation, InviteProblem>> {
  const email = normalEmail(typed);
  if (!isEmail(email) || !isMailAddress(email)) return fail('email_wrong');
  if (team.some((member) => member.email === email)) return fail('already_member');
  if (await isInvited(tx, merchantId, email)) return fail('already_invited');
  if (await isOverLimit(runtime, tx, merchantId, mail)) return fail('too_many');
  const id = newId(runtime);
  const token = newToken(runtime.random);
  const createdAt = runtime.clock();
  const expiresAt = addMs(createdAt, INVITATION_MS);
  const mailed = mail && runtime.settings.mail !== undefined;
  await insertInvitation(tx, { id, merchantId, email, role, tokenHash: hashToken(token), invitedBy: actor, mailed, createdAt, expiresAt });
  const entry = { merchantId, environment: null, actor, subject: id, address };
  await recordEntry(runtime, { ...entry, action: 'invitation.sent', data: { email, role } }, tx);
  if (mailed) await mailInvitation(runtime, tx, { merchantId, email, role, token, expiresAt });
  return ok({ id, email, link: mailed ? null : invitationLink(runtime, token) });
}

/**
 * Returns whether a limit forbids the next invitation. The caller must have locked the team, so that concurrent invitations are
 * counted.
 */
export async function isOverLimit(
  { clock, settings }: Pick<Runtime, 'clock' | 'settings'>,
  tx: Connection,
  merchantId: string,
  mail: boolean,
): Promise<boolean> {
  const { live, ...sent } = await countInvitationsSent(tx, merchantId, addMs(clock(), -DAY_MS));
  return isOverInvitationLimit(sent, { byMail: mail && settings.mail !== undefined, live });
}
