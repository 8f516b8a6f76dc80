import { tellOwner } from '@/lib/accounts/tell-owner';
import type { Runtime } from '@/lib/runtime/runtime';
import { slipCounters, warningCounters } from './throttle-rules';
import { countTry } from './throttle-store';

/** After a wrong code that followed the right password: more than a slip or two, and the owner is told, once a day, that it is known. */
export async function warnOwner(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'settings' | 'secrets'>,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<void> {
  if ((await countTry(runtime, slipCounters(userId))) === null) return;
  if ((await countTry(runtime, warningCounters(userId))) !== null) return;
  await tellOwner(runtime, email, 'codesRefused', runtime.db);
}
