import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import { moveMark } from './mark-store';

/**
 * Marks a member's notifications as read up to an instant. Later ones, which the member has not seen yet, stay unread.
 * @param until the instant of the newest notification that was shown, in ISO format. Returns false if it is invalid.
 */
export async function markRead({ db, clock }: ReadRuntime, { scope, user }: MerchantAccess, until: string): Promise<boolean> {
  const shown = new Date(until);
  if (Number.isNaN(shown.getTime())) return false;
  const now = clock();
  await moveMark(db, scope, user.id, shown < now ? shown : now);
  return true;
}
