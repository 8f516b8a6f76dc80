'use server';

import { redirect } from 'next/navigation';
import { endPhoneLinks } from '@/lib/phones/phone-links';
import { openAction } from '@/lib/server/visit';

/** Makes all links to the merchant's virtual phones invalid. */
export async function endLinksAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'phones');
  const ended = await endPhoneLinks(runtime, access);
  redirect(`${path('phones')}${ended.ok ? '?ended=1' : ''}`);
}
