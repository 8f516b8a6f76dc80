import { type Permission, roleMay } from '@/lib/accounts/permissions';
import { findRole } from '@/lib/accounts/team-store';
import type { Runtime } from '@/lib/runtime/runtime';
import type { MerchantAccess } from './grant-access';

/**
 * For what goes on long after somebody was let in: a file of millions of rows, a run over thousands.
 * @returns whether they still may, by the same session and as the role that they have now.
 */
export async function stillMay(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
  permission: Permission,
): Promise<boolean> {
  const { scope, user, sessionId } = access;
  const role = await findRole(db, { merchantId: scope.merchantId, userId: user.id, sessionId, now: clock() });
  return role !== null && roleMay(role, permission);
}
