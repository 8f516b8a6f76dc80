'use server';

import { redirect } from 'next/navigation';
import type { InviteState, SendAgainState } from '@/components/dashboard/team/invite-form';
import { isRole } from '@/lib/accounts/permissions';
import { resendInvitation, revokeInvitation } from '@/lib/accounts/team/change-invitation';
import { changeRole } from '@/lib/accounts/team/change-role';
import { INVITATIONS_A_DAY } from '@/lib/accounts/team/invitation-rules';
import { inviteMember } from '@/lib/accounts/team/invite-member';
import { translator } from '@/lib/i18n/translator';
import { formText, openAction, type Visit } from '@/lib/server/visit';

const most = String(INVITATIONS_A_DAY);

/** Invites a person. Without a mail server, only this answer contains the link. */
export async function inviteAction(_before: InviteState, form: FormData): Promise<InviteState> {
  const { runtime, access, locale } = await openAction(form, 'team');
  const [email, role] = [formText(form, 'email').slice(0, 300), formText(form, 'role')];
  const t = translator(locale, 'Team');
  if (!isRole(role)) return { kind: 'form', email, role: '', problem: t('not_allowed') };
  const invited = await inviteMember(runtime, access, { email, role });
  if (!invited.ok) return { kind: 'form', email, role, problem: t(invited.error, { most }) };
  return { kind: 'sent', email: invited.value.email, link: invited.value.link };
}

/** Sends an invitation again. Without a mail server, only this answer contains the link. */
export async function inviteAgainAction(_before: SendAgainState, form: FormData): Promise<SendAgainState> {
  const { runtime, access, locale } = await openAction(form, 'team');
  const sent = await resendInvitation(runtime, access, formText(form, 'invitation'));
  if (!sent.ok) return { kind: 'problem', problem: translator(locale, 'Team')(sent.error, { most }) };
  return { kind: 'sent', email: sent.value.email, link: sent.value.link };
}

export async function revokeInvitationAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'team');
  const revoked = await revokeInvitation(runtime, access, formText(form, 'invitation'));
  backTo(path, revoked.ok ? 'done=revoked' : `problem=${revoked.error}`);
}

export async function changeRoleAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'team');
  const role = formText(form, 'role');
  if (!isRole(role)) backTo(path, 'problem=not_allowed');
  const changed = await changeRole(runtime, access, { userId: formText(form, 'member'), role });
  backTo(path, changed.ok ? 'done=role' : `problem=${changed.error}`);
}

/** Removes a member. Members who remove themselves are redirected to the start page. */
export async function removeMemberAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'team');
  const userId = formText(form, 'member');
  const removed = await changeRole(runtime, access, { userId, role: null });
  if (removed.ok && userId === access.user.id) redirect('/');
  backTo(path, removed.ok ? 'done=removed' : `problem=${removed.error}`);
}

function backTo(path: Visit['path'], query: string): never {
  redirect(path(`team?${query}`));
}
