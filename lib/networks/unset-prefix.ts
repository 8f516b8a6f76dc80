import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import type { Prefix } from '@/lib/core/network';
import { deletePrefix } from './store';

/** Takes a prefix from its network: from now on its numbers are of `other`. @returns the network it belonged to; null when it was nobody's. */
export async function unsetPrefix(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { prefix, actor }: { readonly prefix: Prefix; readonly actor: string },
): Promise<string | null> {
  const previous = await deletePrefix(runtime.db, prefix);
  if (previous === null) return null;
  await recordEntry(runtime, {
    merchantId: null,
    environment: null,
    actor,
    action: 'network_prefix.unset',
    subject: prefix,
    address: null,
    data: { previous },
  });
  return previous;
}
