'use server';

import { redirect } from 'next/navigation';
import { changeName } from '@/lib/accounts/account/change-name';
import { endAccountSessions } from '@/lib/accounts/account/end-sessions';
import { formText, openAccountAction } from '@/lib/server/visit';

export async function saveNameAction(form: FormData): Promise<void> {
  const { runtime, account } = await openAccountAction('/account');
  const changed = await changeName(runtime, account, formText(form, 'name'));
  redirect(changed.ok ? '/account?named' : `/account?problem=${changed.error}`);
}

/** Ends the session in the form, or all others if the form has none. */
export async function endSessionsAction(form: FormData): Promise<void> {
  const { runtime, account } = await openAccountAction('/account');
  const ended = await endAccountSessions(runtime, account, { id: formText(form, 'session') || null });
  redirect(`/account?ended=${ended}`);
}
