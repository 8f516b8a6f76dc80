'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import type { SignUpState } from '@/components/dashboard/auth/sign-up-form';
import { finishSignUp } from '@/lib/accounts/email-links/sign-up';
import { sessionCookie } from '@/lib/server/auth';
import { deviceCookie } from '@/lib/server/device-cookie';
import { landingPath } from '@/lib/server/landing-path';
import { formText, openGuestAction, sessionToken } from '@/lib/server/visit';

/** Creates the account and redirects to its first page. On a problem it returns the form values except the password. */
export async function finishSignUpAction(_before: SignUpState, form: FormData): Promise<SignUpState> {
  const { runtime, address, userAgent } = await openGuestAction();
  const token = formText(form, 'token');
  const typed = { business: formText(form, 'business'), name: formText(form, 'name') };
  const session = await sessionToken(runtime);
  const signedUp = await finishSignUp(runtime, { ...typed, token, password: formText(form, 'password'), address, userAgent, session });
  if (!signedUp.ok) {
    if (signedUp.error === 'link_ended') redirect('/sign-up/finish');
    return { typed, problems: signedUp.error };
  }
  const { userId, device } = signedUp.value;
  const jar = await cookies();
  jar.set(await sessionCookie(runtime, signedUp.value.token));
  jar.set(deviceCookie(runtime, userId, device));
  redirect(await landingPath(runtime, signedUp.value.token, '/'));
}
