import { type AccessRefusal, authorize, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import { markActivationRequested } from '@/lib/merchants/profile-store';
import type { WriteRuntime } from '@/lib/runtime/runtime';

/**
 * Asks the operator to activate an environment that is pending. "bili merchant list" and "bili doctor" show the request. A second request,
 * or one for an environment that is not pending, changes nothing.
 */
export async function requestActivation(runtime: WriteRuntime, access: MerchantAccess): Promise<Result<void, AccessRefusal>> {
  const refusal = authorize(access, 'settings.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  await runtime.db.transaction(async (tx) => {
    if (!(await markActivationRequested(tx, scope, runtime.clock()))) return;
    await recordEntry(runtime, { ...scope, actor, action: 'activation.requested', subject: scope.merchantId, data: {} }, tx);
  });
  return ok(undefined);
}
