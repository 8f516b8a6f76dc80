import {
  type Access,
  type AccessRefusal,
  authorize,
  authorizeProven,
  isProven,
  type MerchantAccess,
  type ProvenRefusal,
} from '@/lib/identity/accounts/access/grant-access';
import { findCashier } from '@/lib/identity/accounts/cashier-store';
import type { Role } from '@/lib/identity/accounts/permissions';
import { lockTeam } from '@/lib/identity/accounts/team-store';
import { hashToken, newToken } from '@/lib/identity/accounts/token';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { isEmail } from '@/lib/identity/merchants/rules';
import { findSettings } from '@/lib/identity/merchants/store';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import { isUuid, newId } from '@/lib/platform/core/ids';
import { isMailAddress } from '@/lib/platform/core/mailbox';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Connection } from '@/lib/platform/db/database';
import { formatInstant } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import type { NotifyRuntime, ReadRuntime, Runtime, WriteRuntime } from '@/lib/platform/runtime/runtime';
import { INVITATION_MS, isOverInvitationLimit, normalEmail } from './invitation-rules';
import { countInvitationsSent, type FoundInvitation, insertInvitation, lockInvitation } from './invitation-store';
import { inviteProblem } from './team-rules';

type InviteRuntime = NotifyRuntime;

export type InviteProblem = ProvenRefusal | 'owners_only' | 'email_wrong' | 'already_member' | 'already_invited' | 'too_many';

interface InviteMemberOptions {
  /** The e-mail address, as it was entered. */
  readonly email: string;
  readonly role: Role;
  /** Whether to send the invitation by e-mail, if a mail server is set up. */
  readonly mail?: boolean;
}

interface SentInvitation {
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
    const pending = { merchantId, email, acceptedAt: null, revokedAt: null };
    if (await tx.prisma.invitation.findFirst({ where: pending, select: { id: true } })) return fail('already_invited');
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
    // The previous link stops working.
    await tx.prisma.invitation.updateMany({ where: { id }, data: { tokenHash: hashToken(token), expiresAt, mailed } });
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
    await tx.prisma.invitation.updateMany({ where: { id }, data: { revokedAt: runtime.clock() } });
    const entry = { merchantId, environment: null, actor: access.actor, subject: id };
    await recordEntry(runtime, { ...entry, action: 'invitation.revoked', data: { email, role } }, tx);
    return ok(email);
  });
}

/** Returns the URL of the page where an invitation is accepted. */
export function invitationLink({ settings }: Pick<Runtime, 'settings'>, token: string): string {
  return `${settings.LIVE_BASE_URL.origin}/invitation/${token}`;
}

interface InvitationToMail {
  readonly merchantId: string;
  readonly email: string;
  readonly role: Role;
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Queues the invitation's mail in the caller's transaction. The mail is in the merchant's language, or in both languages if the
 * merchant has not chosen one. Returns false if no mail server is set up.
 */
async function mailInvitation(
  runtime: Pick<Runtime, 'settings' | 'secrets' | 'clock' | 'random'>,
  tx: Connection,
  { merchantId, email, role, token, expiresAt }: InvitationToMail,
): Promise<boolean> {
  if (!runtime.settings.mail) return false;
  const merchant = await findSettings(tx, merchantId);
  if (!merchant) throw new Error(`there is no merchant ${merchantId}`);
  const write = (locale: Locale) => {
    const facts = {
      merchant: merchant.name,
      role: translator(locale, 'Shell')(`role_${role}`),
      link: invitationLink(runtime, token),
      until: formatInstant(expiresAt, locale),
    };
    const t = translator(locale, 'InvitationMail');
    return { subject: t('subject', facts), text: `${t('text', facts)}\n` };
  };
  await queueMail(runtime, { to: [email], kind: 'invitation', merchantId, language: merchant.language, write }, tx);
  return true;
}
