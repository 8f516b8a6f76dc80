import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { insertHiddenSteps } from './first-steps-store';

/** Dismisses the first steps of an environment for one member. The other members still see them. */
export async function hideFirstSteps(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  access: MerchantAccess,
): Promise<Result<void, 'not_allowed'>> {
  if (!may(access, 'overview.view')) return fail('not_allowed');
  await insertHiddenSteps(db, { ...access.scope, userId: access.user.id }, clock());
  return ok(undefined);
}
