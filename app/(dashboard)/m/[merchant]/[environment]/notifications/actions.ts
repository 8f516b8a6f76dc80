'use server';

import { redirect } from 'next/navigation';
import { markRead } from '@/lib/alerts/mark-read';
import { formText, openAction } from '@/lib/server/visit';

/** Marks the notifications as read that the page shows. */
export async function markReadAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'notifications');
  await markRead(runtime, access, formText(form, 'until'));
  redirect(path('notifications'));
}
