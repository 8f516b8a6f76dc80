import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { findLogo, type StoredLogo } from './brand-store';

/** Returns a merchant's present logo. Returns undefined if `hash` is not that of the present logo. */
export async function showLogo({ db }: Pick<Runtime, 'db'>, merchantId: string, hash: string): Promise<StoredLogo | undefined> {
  return isUuid(merchantId) && /^[\da-f]{64}$/.test(hash) ? findLogo(db, merchantId, hash) : undefined;
}
