import { isProven } from '@/lib/accounts/access/grant-access';
import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import type { Runtime } from '@/lib/runtime/runtime';
import { beginSecondFactor, secondFactorContext } from './second-factor-store';
import { makeTotpSecret } from './totp';

/**
 * Creates the secret for an authenticator app. The second factor is not required until a code of the app confirms it. Returns false
 * if the user has not recently proven their identity, or already has a second factor.
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
