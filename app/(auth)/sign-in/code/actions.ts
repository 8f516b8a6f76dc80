'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { completeSignIn } from '@/lib/accounts/sign-in/complete-sign-in';
import { ownPath } from '@/lib/http/same-origin';
import { sessionCookie } from '@/lib/server/auth';
import { deviceCookie } from '@/lib/server/device-cookie';
import { landingPath } from '@/lib/server/landing-path';
import { formText, openGuestAction, sessionToken } from '@/lib/server/visit';

/** Checks the one-time code, opens the session and redirects to the page that the person wanted. */
export async function codeAction(form: FormData): Promise<void> {
  const { runtime, address, devices } = await openGuestAction();
  const callbackUrl = ownPath(formText(form, 'callbackUrl'), runtime.settings.LIVE_BASE_URL.origin) ?? '/';
  const token = await sessionToken(runtime);
  const completed = await completeSignIn(runtime, { token, code: formText(form, 'code'), devices, address });
  if (completed.ok) {
    const { userId, device } = completed.value;
    const jar = await cookies();
    jar.set(await sessionCookie(runtime, completed.value.token));
    jar.set(deviceCookie(runtime, userId, device));
    redirect(await landingPath(runtime, completed.value.token, callbackUrl));
  }
  const { error } = completed;
  if (error.code === 'signed_out') redirect(`/sign-in?${new URLSearchParams({ error: 'Expired', callbackUrl })}`);
  const reason = error.code === 'wait' ? { until: error.until.toISOString() } : { wrong: '1' };
  redirect(`/sign-in/code?${new URLSearchParams({ ...reason, callbackUrl })}`);
}
