import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import { isUuid } from '@/lib/core/ids';
import type { Runtime } from '@/lib/runtime/runtime';
import { markDisabled } from './account-store';

/**
 * Disables an account for new attempts. Open attempts are still queried, and callbacks still count.
 * @returns false if there is no such account, or if it is already disabled.
 */
export async function disableAccount(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { id, actor }: { id: string; actor: Actor },
): Promise<boolean> {
  if (!isUuid(id)) return false;
  return runtime.db.transaction(async (tx) => {
    const disabled = await markDisabled(tx, id, runtime.clock());
    if (!disabled) return false;
    await recordEntry(runtime, { ...disabled, actor, action: 'provider_account.disabled', subject: id }, tx);
    return true;
  });
}
