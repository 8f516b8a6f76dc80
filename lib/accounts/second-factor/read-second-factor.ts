import { isProven } from '@/lib/accounts/access/grant-access';
import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import type { Runtime } from '@/lib/runtime/runtime';
import { countRecoveryCodes, findSecondFactor, secondFactorContext } from './second-factor-store';
import { totpUri } from './totp';

/** The state of a user's second factor. */
type SecondFactorState =
  | { readonly kind: 'off' }
  /** The secret for the authenticator app. It is shown only to a user who has recently proven their identity. */
  | { readonly kind: 'setting_up'; readonly secret: string; readonly uri: string }
  | { readonly kind: 'on'; readonly since: Date; readonly codesLeft: number };

export async function readSecondFactor(
  runtime: Pick<Runtime, 'db' | 'clock' | 'secrets'>,
  account: AccountAccess,
): Promise<SecondFactorState> {
  const { id, email } = account.user;
  const factor = await findSecondFactor(runtime.db, id);
  if (factor?.confirmedAt) return { kind: 'on', since: factor.confirmedAt, codesLeft: await countRecoveryCodes(runtime.db, id) };
  if (!factor || !isProven(account, runtime.clock())) return { kind: 'off' };
  const secret = runtime.secrets.decrypt(factor.encryptedSecret, secondFactorContext(id));
  return { kind: 'setting_up', secret, uri: totpUri(secret, email) };
}
