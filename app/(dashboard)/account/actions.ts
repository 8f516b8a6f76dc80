'use server';

import { after } from 'next/server';
import { waitTime } from '@/components/dashboard/wait-time';
import { finishEmail, requestEmailChange } from '@/lib/backoffice/email-links/change-email';
import { changePassword } from '@/lib/backoffice/email-links/change-password';
import { formAction, ofAccount, plainAction, text } from '@/lib/entry/server/form-action';
import { changeName, endAccountSessions } from '@/lib/identity/accounts/sign-in/manage-account';
import { EMAIL_MAX } from '@/lib/platform/core/mailbox';
import { translator } from '@/lib/platform/i18n/translator';

export const saveNameAction = plainAction(ofAccount('/account'), { name: text() }, async ({ runtime, account }, { name }) => {
  const changed = await changeName(runtime, account, name);
  return changed.ok ? '/account?named' : `/account?problem=${changed.error}`;
});

/** Ends the session whose id the form contains or, if the form contains none, all sessions of the person except the current one. */
export const endSessionsAction = plainAction(ofAccount('/account'), { session: text() }, async ({ runtime, account }, { session }) => {
  const ended = await endAccountSessions(runtime, account, { id: session || null });
  return `/account?ended=${ended}`;
});

export const changePasswordAction = plainAction(
  ofAccount('/account/password'),
  { password: text() },
  async ({ runtime, account }, { password }) => {
    const changed = await changePassword(runtime, account, password);
    return `/account/password?${changed.ok ? `changed=${changed.value}` : `problem=${changed.error}`}`;
  },
);

/** Mails a link to the new address. The answer and its timing do not reveal whether another account uses the address. */
export const askForEmailAction = formAction(ofAccount('/account/email'), { email: text() }, async (visit, form) => {
  const { runtime, account, locale } = visit;
  const email = form.email.trim().slice(0, EMAIL_MAX);
  const asked = await requestEmailChange(runtime, account, { email, locale });
  if (asked.ok) {
    after(asked.value);
    return { done: email };
  }
  const { error } = asked;
  const problem =
    error.code === 'wait'
      ? translator(locale, 'Proof')('wait', { time: waitTime(error.until, locale) })
      : translator(locale, 'Account')(error.code);
  return { typed: { email }, problems: { email: problem } };
});

/** Changes the e-mail address to the one that the link was sent to. */
export const finishEmailAction = plainAction(ofAccount('/account/email'), { token: text() }, async ({ runtime, account }, { token }) => {
  const finished = await finishEmail(runtime, account, token);
  if (finished.ok) return `/account?moved=${finished.value.ended}`;
  return `/account/email/confirm?${new URLSearchParams({ token, problem: finished.error })}`;
});
