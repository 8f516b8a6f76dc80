import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, ok, type Result } from '@/lib/core/result';
import { changeProfile } from '@/lib/merchants/change-profile';
import type { ProfileChange } from '@/lib/merchants/store';
import type { Runtime } from '@/lib/runtime/runtime';
import { type SettingsDoor, settingsDoor } from './settings-door';

interface ChangeOwnProfileOptions {
  readonly change: Pick<ProfileChange, 'partialPayments' | 'uniqueReferences'>;
  readonly address: string | null;
}

/** A member changes how bills are paid and named in one environment; whether the merchant is active there is the operator's. */
export async function changeOwnProfile(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { change: { partialPayments, uniqueReferences }, address }: ChangeOwnProfileOptions,
): Promise<Result<void, SettingsDoor>> {
  const door = settingsDoor(access, runtime.clock());
  if (door) return fail(door);
  const change = { ...(partialPayments !== undefined && { partialPayments }), ...(uniqueReferences !== undefined && { uniqueReferences }) };
  await changeProfile(runtime, { scope: access.scope, change, actor: `user:${access.user.email}`, address });
  return ok(undefined);
}
