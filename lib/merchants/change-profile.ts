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
 * Changes what a merchant may do in one environment; the API follows within half a second. Unique references count from then on:
 * of two bills that were made before with one reference both stay, and a new bill may have it too.
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
