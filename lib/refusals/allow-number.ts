import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import type { Runtime } from '@/lib/runtime/runtime';
import type { RefusalState } from './rules';
import { decideRefusal, lockOpenRefusal, type NumberOf } from './store';

/**
 * Unblocks a number, or rejects a request to block it.
 * @returns the previous state of the refusal; null if there was none.
 */
export async function allowNumber(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { environment, mobile, actor }: NumberOf & { readonly actor: Actor },
): Promise<Exclude<RefusalState, 'LIFTED'> | null> {
  return runtime.db.transaction(async (tx) => {
    const open = await lockOpenRefusal(tx, { environment, mobile });
    if (!open || open.state === 'LIFTED') return null;
    await decideRefusal(tx, open.id, { state: 'LIFTED', decidedAt: runtime.clock(), decidedBy: actor.name, reason: null });
    const data = { mobile, previous: open.state };
    await recordEntry(runtime, { merchantId: null, environment, actor, action: 'number.allowed', subject: open.id, data }, tx);
    return open.state;
  });
}
