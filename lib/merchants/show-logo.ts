import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { findLogo, type StoredLogo } from './brand-store';

/** @returns a merchant's present logo; undefined for one that it does not have, or has no longer. */
export async function showLogo({ db }: Pick<Runtime, 'db'>, merchantId: string, hash: string): Promise<StoredLogo | undefined> {
  return isUuid(merchantId) && /^[\da-f]{64}$/.test(hash) ? findLogo(db, merchantId, hash) : undefined;
}
