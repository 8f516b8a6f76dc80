'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { finishReset } from '@/lib/accounts/email-links/reset-by-link';
import { deviceCookie } from '@/lib/server/device-cookie';
import { storeTypedEmail } from '@/lib/server/typed-email';
import { formText, openGuestAction } from '@/lib/server/visit';

/** Sets the new password and redirects to the sign-in page, which also asks for the second factor. */
export async function resetAction(form: FormData): Promise<void> {
  const { runtime, address } = await openGuestAction();
  const token = formText(form, 'token');
  const reset = await finishReset(runtime, { token, password: formText(form, 'password'), address });
  if (!reset.ok) redirect(`/reset?${new URLSearchParams({ token, problem: reset.error })}`);
  const { userId, email, device } = reset.value;
  (await cookies()).set(deviceCookie(runtime, userId, device));
  await storeTypedEmail(runtime, email);
  redirect('/sign-in?changed');
}
