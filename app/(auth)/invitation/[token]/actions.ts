'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import type { JoinState } from '@/components/dashboard/cashiers/join-form';
import type { AcceptState } from '@/components/dashboard/team/accept-form';
import { dashboardPath } from '@/lib/accounts/access/grant-access';
import { joinAsCashier } from '@/lib/accounts/cashiers/join-as-cashier';
import { PASSWORD_MIN } from '@/lib/accounts/passwords/password-limits';
import { type AcceptProblem, acceptInvitation } from '@/lib/accounts/team/accept-invitation';
import { showInvitation } from '@/lib/accounts/team/show-invitation';
import { translator } from '@/lib/i18n/translator';
import { sessionCookie } from '@/lib/server/auth';
import { cashierCookie } from '@/lib/server/device-cookie';
import { pageLocale } from '@/lib/server/preferences';
import { storeTypedEmail } from '@/lib/server/typed-email';
import { formText, openGuestAction, sessionToken } from '@/lib/server/visit';
import { ownHeaders } from '@/lib/server/visit-refusals';
import { webRuntime } from '@/lib/server/web-runtime';

/** Accepts an invitation. On a problem it returns the typed name, but never the password. */
export async function acceptAction(_before: AcceptState, form: FormData): Promise<AcceptState> {
  const sent = await ownHeaders();
  const runtime = webRuntime();
  const [token, name, password] = [formText(form, 'token'), formText(form, 'name'), formText(form, 'password')];
  const session = await sessionToken(runtime);
  const person = form.has('password') ? { name, password } : null;
  const accepted = await acceptInvitation(runtime, { token, session, person, address: runtime.addressOf(sent) });
  if (accepted.ok) {
    const { slug, environment, email, signInDue } = accepted.value;
    const welcome = dashboardPath({ slug, environment, page: 'welcome' });
    if (!signInDue) redirect(welcome);
    await storeTypedEmail(runtime, email);
    redirect(`/sign-in?${new URLSearchParams({ joined: '1', callbackUrl: welcome })}`);
  }
  const { error } = accepted;
  // The page itself shows problems of the invitation, for example that it has expired.
  if (!isAboutForm(error)) redirect(`/invitation/${encodeURIComponent(token)}`);
  const problem = translator(await pageLocale(), 'Invitation')(error, { least: String(PASSWORD_MIN) });
  return { name: name.slice(0, 200), field: error === 'name_wrong' ? 'name' : 'password', problem };
}

const ABOUT_FORM = ['name_wrong', 'too_short', 'too_long', 'too_common', 'too_personal'] as const;

/** Accepts the invitation of a cashier: stores this device as the cashier's device, signs the cashier in and redirects to the counter. */
export async function joinAction(_before: JoinState, form: FormData): Promise<JoinState> {
  const { runtime, address, userAgent, cashiers, locale } = await openGuestAction();
  const [token, pin, repeated] = [formText(form, 'token'), formText(form, 'pin'), formText(form, 'repeated')];
  const session = await sessionToken(runtime);
  const joined = await joinAsCashier(runtime, { token, pin, repeated, devices: cashiers, userAgent, address, session });
  if (joined.ok) {
    const { userId, device, slug, environment } = joined.value;
    const jar = await cookies();
    jar.set(cashierCookie(runtime, userId, device));
    jar.set(await sessionCookie(runtime, joined.value.token));
    redirect(dashboardPath({ slug, environment, page: 'counter' }));
  }
  const { error } = joined;
  const t = translator(locale, 'CashierJoin');
  if (error === 'pin_not_six_digits' || error === 'pin_too_easy') return { field: 'pin', problem: t(error) };
  if (error === 'pins_differ') return { field: 'repeated', problem: t(error) };
  // The page itself shows problems of the invitation, for example that it has expired.
  redirect(`/invitation/${encodeURIComponent(token)}`);
}

/**
 * Redirects a person who already has an account to the sign-in page, where the e-mail address is filled in. After signing in, the person
 * returns to the invitation.
 */
export async function signInAction(form: FormData): Promise<void> {
  const { runtime } = await openGuestAction();
  const token = formText(form, 'token');
  const found = await showInvitation(runtime, { token, session: null });
  if (found) await storeTypedEmail(runtime, found.email);
  redirect(`/sign-in?${new URLSearchParams({ callbackUrl: `/invitation/${encodeURIComponent(token)}` })}`);
}

function isAboutForm(error: AcceptProblem): error is (typeof ABOUT_FORM)[number] {
  return ABOUT_FORM.some((one) => one === error);
}
