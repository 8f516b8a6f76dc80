import { isProven } from '@/lib/accounts/access/grant-access';
import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import type { Runtime } from '@/lib/runtime/runtime';
import { beginSecondFactor, secondFactorContext } from './second-factor-store';
import { makeTotpSecret } from './totp';

/**
 * Makes a secret for an app on somebody's phone. It counts for nothing until a code of the app has confirmed it.
 * @returns false when the person has not proven who they are, or has a second factor already.
 */
export async function startSecondFactor(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  account: AccountAccess,
): Promise<boolean> {
  const { id } = account.user;
  const now = runtime.clock();
  if (!isProven(account, now)) return false;
  return beginSecondFactor(runtime.db, id, runtime.secrets.encrypt(makeTotpSecret(runtime.random), secondFactorContext(id)), now);
}
