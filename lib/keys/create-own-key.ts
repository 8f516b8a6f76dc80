import { type AccessRefusal, findRefusal, isProven, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { createKey } from './create-key';
import { type KeyWishes, readKeyWishes, type WishProblem } from './key-wishes';
import type { KeyPair } from './rules';

/** Why somebody may not change keys; `not_proven`: it is too long ago that they proved who they are. */
export type KeyDoor = AccessRefusal | 'not_proven';

/** @returns what keeps somebody from changing keys at this moment, or null. */
export function keyDoor(access: MerchantAccess, now: Date): KeyDoor | null {
  return findRefusal(access, 'keys.change') ?? (isProven(access, now) ? null : 'not_proven');
}

/** A member creates a key of the own merchant. @returns the pair, whose secret is shown this once. */
export async function createOwnKey(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { wishes, address }: { wishes: KeyWishes; address: string | null },
): Promise<Result<KeyPair, KeyDoor | WishProblem>> {
  const now = runtime.clock();
  const door = keyDoor(access, now);
  if (door) return fail(door);
  const read = readKeyWishes(wishes, now);
  if (!read.ok) return read;
  const { label, expiresAt, ...limits } = read.value;
  return ok(await createKey(runtime, { scope: access.scope, label, expiresAt, limits, actor: `user:${access.user.email}`, address }));
}
