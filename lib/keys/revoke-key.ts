import { recordEntry } from '@/lib/audit/record-entry';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { isKeyId } from './rules';
import { markRevoked } from './store';

interface RevokeKeyOptions {
  readonly scope: Scope;
  readonly id: string;
  readonly actor: string;
  readonly address: string | null;
}

/**
 * Revokes a key. It stops working within half a second in every process. Returns false if the scope has no such key or it was
 * already revoked.
 */
export async function revokeKey(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { scope: { merchantId, environment }, id, actor, address }: RevokeKeyOptions,
): Promise<boolean> {
  if (!isKeyId(id)) return false;
  const scope = { merchantId, environment };
  return runtime.db.transaction(async (tx) => {
    const revoked = await markRevoked(tx, scope, id, runtime.clock());
    if (revoked) await recordEntry(runtime, { ...scope, actor, action: 'key.revoked', subject: id, address }, tx);
    return revoked;
  });
}
