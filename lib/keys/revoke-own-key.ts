import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { type KeyDoor, keyDoor } from './create-own-key';
import { revokeKey } from './revoke-key';

/** A member revokes a key of the own merchant. `not_found`: the merchant has no such key that works. */
export async function revokeOwnKey(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { id, address }: { id: string; address: string | null },
): Promise<Result<null, KeyDoor | 'not_found'>> {
  const door = keyDoor(access, runtime.clock());
  if (door) return fail(door);
  const revoked = await revokeKey(runtime, { scope: access.scope, id, actor: `user:${access.user.email}`, address });
  return revoked ? ok(null) : fail('not_found');
}
