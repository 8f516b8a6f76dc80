import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { auditedKey } from './audited-key';
import { type KeyWishes, readKeyWishes, type WishProblem } from './key-wishes';
import { isKeyId, isUsable } from './rules';
import { findOwnKey, updateKey } from './store';

/**
 * Changes the name, the expiry and the limits of a usable key. Every process applies them within half a second.
 * @returns whether anything was different.
 */
export async function changeKey(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  access: Access,
  { id, wishes }: { id: string; wishes: KeyWishes },
): Promise<Result<{ readonly changed: boolean }, ProvenRefusal | WishProblem | 'not_found'>> {
  const refusal = authorizeProven(access, 'keys.change', runtime.clock());
  if (refusal) return fail(refusal);
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
    const data = { before, after };
    await recordEntry(runtime, { ...access.scope, actor: access.actor, action: 'key.changed', subject: id, data }, tx);
    return ok({ changed: true });
  });
}
