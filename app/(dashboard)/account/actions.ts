'use server';

import { redirect } from 'next/navigation';
import { changeName } from '@/lib/accounts/own/change-name';
import { endOwnSessions } from '@/lib/accounts/own/end-own-sessions';
import { formText, openAccountAction } from '@/lib/server/visit';

export async function saveNameAction(form: FormData): Promise<void> {
  const { runtime, account, address } = await openAccountAction('/account');
  const changed = await changeName(runtime, account, { name: formText(form, 'name'), address });
  redirect(changed.ok ? '/account?named' : `/account?problem=${changed.error}`);
}

/** Ends the session that the form names, or all others when it names none. */
export async function endSessionsAction(form: FormData): Promise<void> {
  const { runtime, account, address } = await openAccountAction('/account');
  const ended = await endOwnSessions(runtime, account, { id: formText(form, 'session') || null, address });
  redirect(`/account?ended=${ended}`);
}
