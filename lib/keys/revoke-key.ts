import { type Access, authorizeProven, type ProvenRefusal } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { isKeyId } from './rules';
import { markRevoked } from './store';

/** Revokes an API key. It stops working within half a second. `not_found`: the scope has no such key, or it was revoked before. */
export async function revokeKey(runtime: WriteRuntime, access: Access, id: string): Promise<Result<null, ProvenRefusal | 'not_found'>> {
  const refusal = authorizeProven(access, 'keys.change', runtime.clock());
  if (refusal) return fail(refusal);
  if (!isKeyId(id)) return fail('not_found');
  const { scope, actor } = access;
  return runtime.db.transaction(async (tx) => {
    if (!(await markRevoked(tx, scope, id, runtime.clock()))) return fail('not_found');
    await recordEntry(runtime, { ...scope, actor, action: 'key.revoked', subject: id }, tx);
    return ok(null);
  });
}
