import type { MerchantAccess } from '@/lib/accounts/grant-access';
import type { Runtime } from '@/lib/config/runtime';
import { fail, ok, type Result } from '@/lib/core/result';
import { changeProfile } from './change-profile';
import { type SettingsDoor, settingsDoor } from './settings-door';
import type { ProfileChange } from './store';

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
