'use server';

import { redirect } from 'next/navigation';
import { after } from 'next/server';
import type { EmailState } from '@/components/dashboard/account/email-form';
import { waitTime } from '@/components/dashboard/wait-time';
import { changeName, endAccountSessions } from '@/lib/accounts/account/manage-account';
import { finishEmail, requestEmailChange } from '@/lib/accounts/email-links/change-own-email';
import { changePassword } from '@/lib/accounts/email-links/change-password';
import { EMAIL_MAX } from '@/lib/core/mailbox';
import { translator } from '@/lib/i18n/translator';
import { formText, openAccountAction } from '@/lib/server/visit';

export async function saveNameAction(form: FormData): Promise<void> {
  const { runtime, account } = await openAccountAction('/account');
  const changed = await changeName(runtime, account, formText(form, 'name'));
  redirect(changed.ok ? '/account?named' : `/account?problem=${changed.error}`);
}

/** Ends the session whose id the form contains or, if the form contains none, all sessions of the person except the current one. */
export async function endSessionsAction(form: FormData): Promise<void> {
  const { runtime, account } = await openAccountAction('/account');
  const ended = await endAccountSessions(runtime, account, { id: formText(form, 'session') || null });
  redirect(`/account?ended=${ended}`);
}

export async function changePasswordAction(form: FormData): Promise<void> {
  const { runtime, account } = await openAccountAction('/account/password');
  const changed = await changePassword(runtime, account, formText(form, 'password'));
  redirect(`/account/password?${changed.ok ? `changed=${changed.value}` : `problem=${changed.error}`}`);
}

/** Mails a link to the new address. The answer and its timing do not reveal whether another account uses the address. */
export async function askForEmailAction(_before: EmailState, form: FormData): Promise<EmailState> {
  const { runtime, account, locale } = await openAccountAction('/account/email');
  const email = formText(form, 'email').trim().slice(0, EMAIL_MAX);
  const asked = await requestEmailChange(runtime, account, { email, locale });
  if (asked.ok) {
    after(asked.value);
    return { kind: 'sent', email };
  }
  const { error } = asked;
  const problem =
    error.code === 'wait'
      ? translator(locale, 'Proof')('wait', { time: waitTime(error.until, locale) })
      : translator(locale, 'Account')(error.code);
  return { kind: 'form', email, problem };
}

/** Changes the e-mail address to the one that the link was sent to. */
export async function finishEmailAction(form: FormData): Promise<void> {
  const { runtime, account } = await openAccountAction('/account/email');
  const token = formText(form, 'token');
  const finished = await finishEmail(runtime, account, token);
  if (finished.ok) redirect(`/account?moved=${finished.value.ended}`);
  redirect(`/account/email/confirm?${new URLSearchParams({ token, problem: finished.error })}`);
}
