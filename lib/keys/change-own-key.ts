import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { auditedKey } from './audited-key';
import { type KeyDoor, keyDoor } from './create-own-key';
import { type KeyWishes, readKeyWishes, type WishProblem } from './key-wishes';
import { isKeyId, isUsable } from './rules';
import { findOwnKey, updateKey } from './store';

/**
 * A member changes the name, the expiry and the limits of a key that works. They hold for requests half a second later in every
 * process. @returns whether anything was different.
 */
export async function changeOwnKey(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: MerchantAccess,
  { id, wishes, address }: { id: string; wishes: KeyWishes; address: string | null },
): Promise<Result<{ readonly changed: boolean }, KeyDoor | WishProblem | 'not_found'>> {
  const door = keyDoor(access, runtime.clock());
  if (door) return fail(door);
  if (!isKeyId(id)) return fail('not_found');
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    const key = await findOwnKey(tx, access.scope, id, { lock: true });
    if (!key || !isUsable(key, now)) return fail('not_found');
    const read = readKeyWishes(wishes, now, key.expiresAt);
    if (!read.ok) return read;
    const before = auditedKey(key);
    const after = auditedKey(read.value);
    if (JSON.stringify(before) === JSON.stringify(after)) return ok({ changed: false });
    await updateKey(tx, id, read.value);
    const entry = { ...access.scope, actor: `user:${access.user.email}`, action: 'key.changed', subject: id, address };
    await recordEntry(runtime, { ...entry, data: { before, after } }, tx);
    return ok({ changed: true });
  });
}
