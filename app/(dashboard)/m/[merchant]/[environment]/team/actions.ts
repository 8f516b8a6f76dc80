'use server';

import { mobileProblemText } from '@/components/pay/form-problem';
import { formAction, ofMerchant, plainAction, text } from '@/lib/entry/server/form-action';
import { landingPath } from '@/lib/entry/server/landing-path';
import { sessionToken, type Visit } from '@/lib/entry/server/visit';
import { isRole } from '@/lib/identity/accounts/permissions';
import { INVITATIONS_A_DAY } from '@/lib/identity/accounts/team/invitation-rules';
import { inviteMember, resendInvitation, revokeInvitation } from '@/lib/identity/accounts/team/invite-member';
import { type InvitedCashier, inviteCashier, revokeDevice } from '@/lib/identity/accounts/team/manage-cashiers';
import { changeRole } from '@/lib/identity/accounts/team/team';
import { mobileProblem, toInternational } from '@/lib/platform/core/mobile';
import { translator } from '@/lib/platform/i18n/translator';

const page = ofMerchant('team');
const most = String(INVITATIONS_A_DAY);

/** Invites a person. Without a mail server, only this answer contains the link. */
export const inviteAction = formAction(page, { email: text(300), role: text() }, async ({ runtime, access, locale }, { email, role }) => {
  const t = translator(locale, 'Team');
  if (!isRole(role)) return { typed: { role: '' }, problems: { email: t('not_allowed') } };
  const invited = await inviteMember(runtime, access, { email, role });
  if (!invited.ok) return { problems: { email: t(invited.error, { most }) } };
  return { done: { email: invited.value.email, link: invited.value.link } };
});

/** Sends an invitation again. Without a mail server, only this answer contains the link. */
export const inviteAgainAction = formAction(page, { invitation: text() }, async (visit, { invitation }) => {
  const sent = await resendInvitation(visit.runtime, visit.access, invitation);
  if (!sent.ok) return { problems: { all: translator(visit.locale, 'Team')(sent.error, { most }) } };
  const { email, link, mobile, name } = sent.value;
  const cashier = mobile !== null && link !== null ? linkOf(visit, { name: name ?? mobile, mobile, link }) : null;
  return { done: { email, link, cashier } };
});

/** Invites a cashier by phone number, also for a new PIN or another phone. Only this answer contains the link. */
export const inviteCashierAction = formAction(page, { name: text(300), mobile: text(100) }, async (visit, cashier) => {
  const invited = await inviteCashier(visit.runtime, visit.access, cashier);
  if (invited.ok) return { done: linkOf(visit, invited.value) };
  const { error } = invited;
  const t = translator(visit.locale, 'Cashiers');
  if (error === 'mobile_wrong') return { problems: { mobile: mobileProblemText(mobileProblem(cashier.mobile), visit.locale) } };
  if (error === 'name_required' || error === 'name_too_long' || error === 'name_address') return { problems: { name: t('name_wrong') } };
  return { problems: { all: translator(visit.locale, 'Team')(error, { most }) } };
});

export const revokeDeviceAction = plainAction(page, { device: text() }, async ({ runtime, access, back }, { device }) => {
  const revoked = await revokeDevice(runtime, access, device);
  return back(revoked.ok ? 'done=device' : `problem=${revoked.error}`);
});

/** Returns the link for a cashier, and addresses that open WhatsApp and the SMS app with a message that contains the link. */
function linkOf({ locale, access }: Visit, { name, mobile, link }: Pick<InvitedCashier, 'name' | 'mobile' | 'link'>) {
  const number = toInternational(mobile);
  const text = encodeURIComponent(translator(locale, 'Cashiers')('message', { name, merchant: access.merchant.name, link }));
  return { name, link, whatsapp: `https://wa.me/${number}?text=${text}`, sms: `sms:+${number}?body=${text}` };
}

export const revokeInvitationAction = plainAction(page, { invitation: text() }, async ({ runtime, access, back }, { invitation }) => {
  const revoked = await revokeInvitation(runtime, access, invitation);
  return back(revoked.ok ? 'done=revoked' : `problem=${revoked.error}`);
});

export const changeRoleAction = plainAction(page, { member: text(), role: text() }, async ({ runtime, access, back }, { member, role }) => {
  if (!isRole(role)) return back('problem=not_allowed');
  const changed = await changeRole(runtime, access, { userId: member, role });
  return back(changed.ok ? 'done=role' : `problem=${changed.error}`);
});

/** Removes a member. Members who remove themselves are redirected to the start page. */
export const removeMemberAction = plainAction(page, { member: text() }, async ({ runtime, access, back }, { member: userId }) => {
  const removed = await changeRole(runtime, access, { userId, role: null });
  if (removed.ok && userId === access.user.id) return landingPath(runtime, await sessionToken(runtime), '/');
  return back(removed.ok ? 'done=removed' : `problem=${removed.error}`);
});
