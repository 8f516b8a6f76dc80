import { notifyOwner } from '@/lib/accounts/notify-owner';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import { warningCounters, wrongCodeCounters } from './throttle-rules';
import { countAttempt } from './throttle-store';

/** Counts a wrong code after the right password. After several in a day, warns the owner, once a day, that somebody knows the password. */
export async function warnOwner(
  runtime: NotifyRuntime,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<void> {
  if ((await countAttempt(runtime, wrongCodeCounters(userId))) === null) return;
  if ((await countAttempt(runtime, warningCounters(userId))) !== null) return;
  await notifyOwner(runtime, email, 'codesRefused', runtime.db);
}
