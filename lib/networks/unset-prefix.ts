import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import type { Prefix } from '@/lib/core/network';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { deletePrefix } from './store';

/** Removes a prefix, so that its numbers belong to `other`. @returns its network; null if it had none. */
export async function unsetPrefix(
  runtime: WriteRuntime,
  { prefix, actor }: { readonly prefix: Prefix; readonly actor: Actor },
): Promise<string | null> {
  return runtime.db.transaction(async (tx) => {
    const previous = await deletePrefix(tx, prefix);
    if (previous === null) return null;
    const data = { before: { network: previous }, after: { network: null } };
    await recordEntry(runtime, { merchantId: null, environment: null, actor, action: 'network_prefix.unset', subject: prefix, data }, tx);
    return previous;
  });
}
