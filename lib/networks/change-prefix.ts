import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import type { OperatedNetwork, Prefix } from '@/lib/core/network';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { deletePrefix, upsertPrefix } from './store';

/**
 * Assigns a prefix to a network. The change applies to new attempts; existing attempts keep their network.
 * @returns the previous network; null if the prefix had none.
 */
export async function setPrefix(
  runtime: WriteRuntime,
  { prefix, network, actor }: { readonly prefix: Prefix; readonly network: OperatedNetwork; readonly actor: Actor },
): Promise<string | null> {
  return runtime.db.transaction(async (tx) => {
    const previous = await upsertPrefix(tx, prefix, network);
    const data = { before: { network: previous }, after: { network } };
    await recordEntry(runtime, { merchantId: null, environment: null, actor, action: 'network_prefix.set', subject: prefix, data }, tx);
    return previous;
  });
}

/** Removes a prefix, so that its numbers belong to `other`. @returns the previous network; null if the prefix had none. */
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
