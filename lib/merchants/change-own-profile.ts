import { type MerchantAccess, may } from '@/lib/accounts/grant-access';
import type { Runtime } from '@/lib/config/runtime';
import { changeProfile } from './change-profile';
import type { ProfileChange } from './store';

interface ChangeOwnProfileOptions {
  readonly change: Pick<ProfileChange, 'partialPayments' | 'uniqueReferences'>;
  readonly address: string | null;
}

/** A member changes how bills are paid and named in one environment; whether the merchant is active there is the operator's. @returns false when the role may not. */
export async function changeOwnProfile(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { change: { partialPayments, uniqueReferences }, address }: ChangeOwnProfileOptions,
): Promise<boolean> {
  if (!may(access, 'settings.change')) return false;
  const change = { ...(partialPayments !== undefined && { partialPayments }), ...(uniqueReferences !== undefined && { uniqueReferences }) };
  await changeProfile(runtime, { scope: access.scope, change, actor: `user:${access.user.email}`, address });
  return true;
}
