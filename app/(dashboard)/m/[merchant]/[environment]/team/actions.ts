'use server';

import { redirect } from 'next/navigation';
import type { CashierState, NewLinkState } from '@/components/dashboard/cashiers/cashier-form';
import { cashierLink } from '@/components/dashboard/cashiers/cashier-link';
import type { InviteState, SendAgainState } from '@/components/dashboard/team/invite-form';
import { type InvitedCashier, inviteCashier } from '@/lib/accounts/cashiers/invite-cashier';
import { revokeDevice } from '@/lib/accounts/cashiers/revoke-device';
import { isRole } from '@/lib/accounts/permissions';
import { resendInvitation, revokeInvitation } from '@/lib/accounts/team/change-invitation';
import { changeRole } from '@/lib/accounts/team/change-role';
import { INVITATIONS_A_DAY } from '@/lib/accounts/team/invitation-rules';
import { inviteMember } from '@/lib/accounts/team/invite-member';
import { translator } from '@/lib/i18n/translator';
import { landingPath } from '@/lib/server/landing-path';
import { formText, openAction, sessionToken, type Visit } from '@/lib/server/visit';

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
  const visit = await openAction(form, 'team');
  const { runtime, access, locale } = visit;
  const sent = await resendInvitation(runtime, access, formText(form, 'invitation'));
  if (!sent.ok) return { kind: 'problem', problem: translator(locale, 'Team')(sent.error, { most }) };
  const { email, link, mobile, name } = sent.value;
  const cashier = mobile !== null && link !== null ? linkOf(visit, { name: name ?? mobile, mobile, link }) : null;
  return { kind: 'sent', email, link, cashier };
}

/** Invites a cashier by phone number. Only this answer contains the link. */
export async function inviteCashierAction(_before: CashierState, form: FormData): Promise<CashierState> {
  const visit = await openAction(form, 'team');
  const typed = { name: formText(form, 'name').slice(0, 300), mobile: formText(form, 'mobile').slice(0, 100) };
  const invited = await inviteCashier(visit.runtime, visit.access, typed);
  if (invited.ok) return { kind: 'ready', ...linkOf(visit, invited.value) };
  const { error } = invited;
  const t = translator(visit.locale, 'Cashiers');
  if (error === 'mobile_wrong') return { kind: 'form', ...typed, field: 'mobile', problem: t(error) };
  if (error === 'name_required' || error === 'name_too_long' || error === 'name_address') {
    return { kind: 'form', ...typed, field: 'name', problem: t('name_wrong') };
  }
  return { kind: 'form', ...typed, field: null, problem: translator(visit.locale, 'Team')(error, { most }) };
}

/** Makes a link for a cashier of the team: for a new PIN or another phone. */
export async function newLinkAction(_before: NewLinkState, form: FormData): Promise<NewLinkState> {
  const answer = await inviteCashierAction({ kind: 'form', name: '', mobile: '', field: null, problem: null }, form);
  return answer.kind === 'ready' ? answer : { kind: 'form', problem: answer.problem };
}

export async function revokeDeviceAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'team');
  const revoked = await revokeDevice(runtime, access, formText(form, 'device'));
  backTo(path, revoked.ok ? 'done=device' : `problem=${revoked.error}`);
}

function linkOf({ locale, access }: Visit, cashier: Pick<InvitedCashier, 'name' | 'mobile' | 'link'>) {
  const { name, link } = cashier;
  return cashierLink(cashier, translator(locale, 'Cashiers')('message', { name, merchant: access.merchant.name, link }));
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
  if (removed.ok && userId === access.user.id) redirect(await landingPath(runtime, await sessionToken(runtime), '/'));
  backTo(path, removed.ok ? 'done=removed' : `problem=${removed.error}`);
}

function backTo(path: Visit['path'], query: string): never {
  redirect(path(`team?${query}`));
}
