'use server';

import { markRead } from '@/lib/backoffice/alerts/list-alerts';
import { ofMerchant, plainAction, text } from '@/lib/entry/server/form-action';

/** Marks all notifications as read, up to the newest one on the page. */
export const markReadAction = plainAction(ofMerchant('notifications'), { until: text() }, async ({ runtime, access, path }, { until }) => {
  await markRead(runtime, access, until);
  return path('notifications');
});
