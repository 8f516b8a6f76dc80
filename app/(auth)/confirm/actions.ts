'use server';

import { cookies } from 'next/headers';
import { ownPath } from '@/lib/entry/http/same-origin';
import { sessionCookie } from '@/lib/entry/server/auth';
import { ofGuest, plainAction, text } from '@/lib/entry/server/form-action';
import { proveIdentity } from '@/lib/identity/accounts/sign-in/prove-identity';

/**
 * Checks the password and, if set up, the code of the second factor, and redirects back to the page. The address gets `?wrong=1` if one of
 * them is wrong or there were too many attempts.
 */
export const confirmAction = plainAction(ofGuest, { back: text(), password: text(), code: text() }, async (guest, form) => {
  const { runtime, session, address } = guest;
  const back = ownPath(form.back, runtime.settings.LIVE_BASE_URL.origin) ?? '/';
  const proven = await proveIdentity(runtime, { token: session, password: form.password, code: form.code, address });
  if (proven.ok) (await cookies()).set(await sessionCookie(runtime, proven.value));
  return proven.ok ? back : `${back}${back.includes('?') ? '&' : '?'}wrong=1`;
});
