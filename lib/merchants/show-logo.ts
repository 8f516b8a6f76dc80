import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { findLogo } from './brand-store';
import type { Logo } from './logo-rules';

/** @returns a merchant's present logo; undefined for one that it does not have, or has no longer. */
export async function showLogo(
  { db }: Pick<Runtime, 'db'>,
  merchantId: string,
  hash: string,
): Promise<Pick<Logo, 'bytes' | 'type'> | undefined> {
  return isUuid(merchantId) && /^[\da-f]{64}$/.test(hash) ? findLogo(db, merchantId, hash) : undefined;
}
