import { type AccessRefusal, findRefusal, isProven, type MerchantAccess } from '@/lib/accounts/access/grant-access';

/** Why somebody may not change settings; `not_proven`: it is too long ago that they proved who they are. */
export type SettingsDoor = AccessRefusal | 'not_proven';

/**
 * @returns what keeps somebody from changing settings at this moment, or null. Support number, logo, name and addresses of notices
 *   would serve a fraud, so a session that was left open is not enough.
 */
export function settingsDoor(access: MerchantAccess, now: Date): SettingsDoor | null {
  return findRefusal(access, 'settings.change') ?? (isProven(access, now) ? null : 'not_proven');
}
