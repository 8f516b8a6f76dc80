import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { type KeyDoor, keyDoor } from './create-own-key';
import { isOverlap, type RolledKey, rollKey } from './roll-key';

/** A member rolls a key of the own merchant. @param overlap as it came from a form. */
export async function rollOwnKey(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { id, overlap, address }: { id: string; overlap: string; address: string | null },
): Promise<Result<RolledKey, KeyDoor | 'not_found' | 'rolled_before' | 'overlap_unknown'>> {
  const door = keyDoor(access, runtime.clock());
  if (door) return fail(door);
  if (!isOverlap(overlap)) return fail('overlap_unknown');
  return rollKey(runtime, { scope: access.scope, id, overlap, actor: `user:${access.user.email}`, address });
}
