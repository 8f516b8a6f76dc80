'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { signInWithPin } from '@/lib/accounts/cashiers/sign-in-with-pin';
import { ownPath } from '@/lib/http/same-origin';
import { sessionCookie } from '@/lib/server/auth';
import { landingPath } from '@/lib/server/landing-path';
import { formText, openGuestAction, sessionToken } from '@/lib/server/visit';

/** Checks the PIN of a cashier on a known device, opens the session and redirects to the page that the cashier wanted. */
export async function pinAction(form: FormData): Promise<void> {
  const { runtime, address, userAgent, cashiers } = await openGuestAction();
  const callbackUrl = ownPath(formText(form, 'callbackUrl'), runtime.settings.LIVE_BASE_URL.origin) ?? '/';
  const device = formText(form, 'device');
  const session = await sessionToken(runtime);
  const pin = formText(form, 'pin');
  const signedIn = await signInWithPin(runtime, { device, pin, devices: cashiers, userAgent, address, session });
  if (signedIn.ok) {
    (await cookies()).set(await sessionCookie(runtime, signedIn.value));
    redirect(await landingPath(runtime, signedIn.value, callbackUrl));
  }
  const { error } = signedIn;
  const why = error.code === 'wrong' ? { left: String(error.left) } : error.code === 'wait' ? { until: error.until.toISOString() } : {};
  redirect(`/sign-in/pin?${new URLSearchParams({ problem: error.code, device, ...why, callbackUrl })}`);
}
