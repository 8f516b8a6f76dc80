'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { proveIdentity } from '@/lib/accounts/sign-in/prove-identity';
import { ownPath } from '@/lib/http/same-origin';
import { sessionCookie } from '@/lib/server/auth';
import { formText, openGuestAction, sessionToken } from '@/lib/server/visit';

/**
 * Checks the password and, if set up, the code of the second factor, and redirects back to the page. The address gets `?wrong=1` if one of
 * them is wrong or there were too many attempts.
 */
export async function confirmAction(form: FormData): Promise<void> {
  const { runtime, address } = await openGuestAction();
  const back = ownPath(formText(form, 'back'), runtime.settings.LIVE_BASE_URL.origin) ?? '/';
  const token = await sessionToken(runtime);
  const proven = await proveIdentity(runtime, { token, password: formText(form, 'password'), code: formText(form, 'code'), address });
  if (proven.ok) (await cookies()).set(await sessionCookie(runtime, proven.value));
  redirect(proven.ok ? back : `${back}${back.includes('?') ? '&' : '?'}wrong=1`);
}
