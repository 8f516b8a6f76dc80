'use server';

import { redirect } from 'next/navigation';
import { after } from 'next/server';
import { requestReset } from '@/lib/accounts/email-links/reset-by-link';
import { EMAIL_MAX } from '@/lib/core/mailbox';
import { storeTypedEmail } from '@/lib/server/typed-email';
import { formText, openGuestAction } from '@/lib/server/visit';

/** Mails a reset link. The account is looked up after the answer is sent, so the answer does not reveal whether the account exists. */
export async function forgotAction(form: FormData): Promise<void> {
  const { runtime, locale, address } = await openGuestAction();
  const email = formText(form, 'email').slice(0, EMAIL_MAX);
  await storeTypedEmail(runtime, email);
  const asked = await requestReset(runtime, { email, address, locale });
  if (!asked.ok) redirect(`/forgot?until=${asked.error.toISOString()}`);
  after(asked.value);
  redirect('/forgot?sent');
}
