import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { differences } from '@/lib/audit/differences';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import { lockProfile, type ProfileChange } from '@/lib/merchants/profile-store';
import { updateProfile } from '@/lib/merchants/store';
import type { WriteRuntime } from '@/lib/runtime/runtime';

/**
 * Changes how bills are paid and named in one environment, or, by the operator only, the merchant's status there. The API applies it
 * within half a second. Unique references apply to new bills: bills that already share a reference stay.
 */
export async function changeProfile(runtime: WriteRuntime, access: Access, change: ProfileChange): Promise<Result<void, ProvenRefusal>> {
  const refusal = authorizeProven(access, 'settings.change', runtime.clock());
  if (refusal) return fail(refusal);
  if (change.status !== undefined && access.role !== null) return fail('not_allowed');
  const { scope, actor } = access;
  await runtime.db.transaction(async (tx) => {
    const before = await lockProfile(tx, scope);
    if (!before) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
    await updateProfile(tx, scope, change);
    const data = differences({ ...before }, { ...change });
    await recordEntry(runtime, { ...scope, actor, action: 'profile.changed', subject: scope.merchantId, data }, tx);
  });
  return ok(undefined);
}
