import { type AccessRefusal, authorize, type MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { WriteRuntime } from '@/lib/platform/runtime/runtime';

/**
 * Asks the operator to activate an environment that is pending. "bili merchant list" and "bili doctor" show the request. A second request,
 * or one for an environment that is not pending, changes nothing.
 */
export async function requestActivation(runtime: WriteRuntime, access: MerchantAccess): Promise<Result<void, AccessRefusal>> {
  const refusal = authorize(access, 'settings.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  await runtime.db.transaction(async (tx) => {
    const { count } = await tx.prisma.merchantProfile.updateMany({
      where: { ...scope, status: 'pending', activationRequestedAt: null },
      data: { activationRequestedAt: runtime.clock() },
    });
    if (count === 0) return;
    await recordEntry(runtime, { ...scope, actor, action: 'activation.requested', subject: scope.merchantId, data: {} }, tx);
  });
  return ok(undefined);
}
