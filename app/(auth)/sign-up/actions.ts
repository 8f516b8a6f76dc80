'use server';

import { notFound, redirect } from 'next/navigation';
import { after } from 'next/server';
import { isSignUpOpen, requestSignUp } from '@/lib/accounts/email-links/sign-up';
import { EMAIL_MAX, isMailAddress } from '@/lib/core/mailbox';
import { storeTypedEmail } from '@/lib/server/typed-email';
import { formText, openGuestAction } from '@/lib/server/visit';

/** Mails a sign-up link. The answer and its timing do not reveal whether the address already has an account. */
export async function signUpAction(form: FormData): Promise<void> {
  const { runtime, locale, address } = await openGuestAction();
  if (!isSignUpOpen(runtime)) notFound();
  const email = formText(form, 'email').trim().slice(0, EMAIL_MAX);
  await storeTypedEmail(runtime, email);
  if (!isMailAddress(email)) redirect('/sign-up');
  const asked = await requestSignUp(runtime, { email, address, locale });
  if (!asked.ok) redirect(`/sign-up?until=${asked.error.toISOString()}`);
  after(asked.value);
  redirect('/sign-up?sent');
}
