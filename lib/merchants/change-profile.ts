import { differences } from '@/lib/audit/differences';
import { recordEntry } from '@/lib/audit/record-entry';
import type { Scope } from '@/lib/core/scope';
import type { Runtime } from '@/lib/runtime/runtime';
import { lockProfile, type ProfileChange, updateProfile } from './store';

interface ChangeProfileOptions {
  readonly scope: Scope;
  readonly change: ProfileChange;
  readonly actor: string;
  readonly address?: string | null;
}

/**
 * Changes a merchant's status and settings in one environment. The API applies the change within half a second. Unique references
 * apply to new bills only: older bills may share a reference, and a new bill may use it, too.
 */
export async function changeProfile(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { scope, change, actor, address = null }: ChangeProfileOptions,
): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const before = await lockProfile(tx, scope);
    if (!before) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
    await updateProfile(tx, scope, change);
    const data = differences({ ...before }, { ...change });
    await recordEntry(runtime, { ...scope, actor, action: 'profile.changed', subject: scope.merchantId, address, data }, tx);
  });
}
