'use server';

import { redirect } from 'next/navigation';
import { after } from 'next/server';
import { askForReset } from '@/lib/accounts/email-links/ask-for-reset';
import { EMAIL_MAX } from '@/lib/core/mailbox';
import { keepTyped } from '@/lib/server/typed-email';
import { formText, openGuestAction } from '@/lib/server/visit';

/** Says the same, as soon, whether anybody has the address or not: who does is looked up when the answer is on its way. */
export async function forgotAction(form: FormData): Promise<void> {
  const { runtime, locale, address } = await openGuestAction();
  const email = formText(form, 'email').slice(0, EMAIL_MAX);
  await keepTyped(runtime, email);
  const asked = await askForReset(runtime, { email, address, locale });
  if (!asked.ok) redirect(`/forgot?until=${asked.error.toISOString()}`);
  after(asked.value);
  redirect('/forgot?sent');
}
