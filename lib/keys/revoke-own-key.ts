import { type MerchantAccess, may } from '@/lib/accounts/grant-access';
import type { Runtime } from '@/lib/config/runtime';
import { revokeKey } from './revoke-key';

/** A member revokes a key of the own merchant. @returns false when the role may not, or the merchant has no such key that works. */
export async function revokeOwnKey(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { id, address }: { id: string; address: string | null },
): Promise<boolean> {
  if (!may(access, 'keys.change')) return false;
  return revokeKey(runtime, { scope: access.scope, id, actor: `user:${access.user.email}`, address });
}
