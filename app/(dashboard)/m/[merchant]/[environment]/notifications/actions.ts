'use server';

import { redirect } from 'next/navigation';
import { markRead } from '@/lib/alerts/mark-read';
import { formText, openAction } from '@/lib/server/visit';

/** Marks all notifications as read, up to the newest one on the page. */
export async function markReadAction(form: FormData): Promise<void> {
  const { runtime, access, path } = await openAction(form, 'notifications');
  await markRead(runtime, access, formText(form, 'until'));
  redirect(path('notifications'));
}
