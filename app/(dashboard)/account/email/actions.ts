'use server';

import { redirect } from 'next/navigation';
import { after } from 'next/server';
import type { EmailState } from '@/components/dashboard/account/email-form';
import { waitTime } from '@/components/dashboard/wait-time';
import { finishEmail } from '@/lib/accounts/email-links/finish-email';
import { requestEmailChange } from '@/lib/accounts/email-links/request-email-change';
import { EMAIL_MAX } from '@/lib/core/mailbox';
import { translator } from '@/lib/i18n/translator';
import { formText, openAccountAction } from '@/lib/server/visit';

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
