import { type Permission, roleMay } from '@/lib/accounts/permissions';
import { findRole } from '@/lib/accounts/team-store';
import type { ReadRuntime } from '@/lib/runtime/runtime';
import type { MerchantAccess } from './grant-access';

/**
 * Returns whether a member still has a permission, with the same session and the present role. Use it for work that continues long after
 * access was granted, such as an export of millions of rows.
 */
export async function isStillAllowed({ db, clock }: ReadRuntime, access: MerchantAccess, permission: Permission): Promise<boolean> {
  const { scope, user, sessionId } = access;
  const role = await findRole(db, { merchantId: scope.merchantId, userId: user.id, sessionId, now: clock() });
  return role !== null && roleMay(role, permission);
}
