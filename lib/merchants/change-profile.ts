import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime, Scope } from '@/lib/config/runtime';
import { type ProfileChange, updateProfile } from './store';

interface ChangeProfileOptions {
  readonly scope: Scope;
  readonly change: ProfileChange;
  readonly actor: string;
}

/** Changes what a merchant may do in one environment; the API follows within half a second. */
export async function changeProfile(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { scope, change, actor }: ChangeProfileOptions,
): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    if (!(await updateProfile(tx, scope, change))) throw new Error(`merchant ${scope.merchantId} has no ${scope.environment} profile`);
    const entry = { ...scope, actor, action: 'profile.changed', subject: scope.merchantId, address: null, data: { ...change } };
    await recordEntry(runtime, entry, tx);
  });
}
