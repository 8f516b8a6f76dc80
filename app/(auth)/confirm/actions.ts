'use server';

import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { proveIdentity } from '@/lib/accounts/prove-identity';
import { isSameOrigin, ownPath } from '@/lib/http/same-origin';
import { formText, sessionToken } from '@/lib/server/visit';
import { webRuntime } from '@/lib/server/web-runtime';

/** Comes back to the page that asked; with `?wrong=1` where the password was not right. */
export async function confirmAction(form: FormData): Promise<void> {
  const sent = await headers();
  if (!isSameOrigin(sent)) notFound();
  const runtime = webRuntime();
  const back = ownPath(formText(form, 'back'), runtime.settings.LIVE_BASE_URL.origin) ?? '/';
  const token = await sessionToken(runtime);
  const proven = await proveIdentity(runtime, { token, password: formText(form, 'password'), address: runtime.addressOf(sent) });
  redirect(proven ? back : `${back}${back.includes('?') ? '&' : '?'}wrong=1`);
}
