import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Actor } from '@/lib/platform/core/actor';
import type { OperatedNetwork, Prefix } from '@/lib/platform/core/network';
import type { WriteRuntime } from '@/lib/platform/runtime/runtime';

/**
 * Assigns a prefix to a network. The change applies to new attempts; existing attempts keep their network.
 * @returns the previous network; null if the prefix had none.
 */
export async function setPrefix(
  runtime: WriteRuntime,
  { prefix, network, actor }: { readonly prefix: Prefix; readonly network: OperatedNetwork; readonly actor: Actor },
): Promise<string | null> {
  return runtime.db.transaction(async (tx) => {
    const previous = (await tx.prisma.networkPrefix.findUnique({ where: { prefix } }))?.network ?? null;
    await tx.prisma.networkPrefix.upsert({ where: { prefix }, create: { prefix, network }, update: { network } });
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
    const before = await tx.prisma.networkPrefix.findUnique({ where: { prefix } });
    if (!before || (await tx.prisma.networkPrefix.deleteMany({ where: before })).count === 0) return null;
    const previous = before.network;
    const data = { before: { network: previous }, after: { network: null } };
    await recordEntry(runtime, { merchantId: null, environment: null, actor, action: 'network_prefix.unset', subject: prefix, data }, tx);
    return previous;
  });
}
