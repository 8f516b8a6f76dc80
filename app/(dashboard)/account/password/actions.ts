'use server';

import { redirect } from 'next/navigation';
import { changePassword } from '@/lib/accounts/email-links/change-password';
import { formText, openAccountAction } from '@/lib/server/visit';

export async function changePasswordAction(form: FormData): Promise<void> {
  const { runtime, account } = await openAccountAction('/account/password');
  const changed = await changePassword(runtime, account, formText(form, 'password'));
  redirect(`/account/password?${changed.ok ? `changed=${changed.value}` : `problem=${changed.error}`}`);
}
