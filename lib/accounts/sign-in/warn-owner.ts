import { tellOwner } from '@/lib/accounts/tell-owner';
import type { Runtime } from '@/lib/runtime/runtime';
import { slipCounters, warningCounters } from './throttle-rules';
import { countTry } from './throttle-store';

/**
 * Counts a wrong code that followed the right password. After several in a day, notifies the owner, once a day, that somebody knows
 * the password.
 */
export async function warnOwner(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'settings' | 'secrets'>,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<void> {
  if ((await countTry(runtime, slipCounters(userId))) === null) return;
  if ((await countTry(runtime, warningCounters(userId))) !== null) return;
  await tellOwner(runtime, email, 'codesRefused', runtime.db);
}
