import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import type { Brand } from '@/lib/merchants/brand-rules';
import { findBrand } from '@/lib/merchants/brand-store';
import { findProfile, type Profile } from '@/lib/merchants/profile-store';
import { findSettings, type MerchantSettings } from '@/lib/merchants/store';
import type { Runtime } from '@/lib/runtime/runtime';

export interface SettingsView extends Brand, MerchantSettings, Profile {
  readonly merchantId: string;
  readonly sendsMail: boolean;
}

export async function showSettings(
  { db, settings: { mail } }: Pick<Runtime, 'db' | 'settings'>,
  access: MerchantAccess,
): Promise<SettingsView | null> {
  if (!may(access, 'settings.view')) return null;
  const { merchantId } = access.scope;
  const [brand, settings, profile] = await Promise.all([
    findBrand(db, merchantId),
    findSettings(db, merchantId),
    findProfile(db, access.scope),
  ]);
  return brand && settings && profile ? { merchantId, sendsMail: mail !== undefined, ...brand, ...settings, ...profile } : null;
}
