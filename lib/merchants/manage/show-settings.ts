import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { findBrand } from '@/lib/merchants/brand-store';
import { findProfile } from '@/lib/merchants/profile-store';
import { findSettings } from '@/lib/merchants/store';
import type { Runtime } from '@/lib/runtime/runtime';

export type SettingsView = NonNullable<Awaited<ReturnType<typeof showSettings>>>;

export async function showSettings({ db, settings: { mail } }: Pick<Runtime, 'db' | 'settings'>, access: MerchantAccess) {
  if (!may(access, 'settings.view')) return null;
  const { merchantId } = access.scope;
  const [brand, settings, profile] = await Promise.all([
    findBrand(db, merchantId),
    findSettings(db, merchantId),
    findProfile(db, access.scope),
  ]);
  return brand && settings && profile ? { merchantId, sendsMail: mail !== undefined, ...brand, ...settings, ...profile } : null;
}
