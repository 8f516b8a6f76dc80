import { Secret, TOTP } from 'otpauth';
import { type AccountAccess, grantAccount } from '@/lib/identity/accounts/access/grant-account';
import { confirmSecondFactorSetup, readSecondFactor, startSecondFactor } from '@/lib/identity/accounts/sign-in/manage-second-factor';
import { signIn } from '@/lib/identity/accounts/sign-in/sign-in';
import type { TestMerchant, TestRuntime } from '../runtime';

/** Returns the code that a person's authenticator app shows at an instant. */
export function codeAt(secret: string, at: Date): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() });
}

interface SignedIn {
  readonly token: string;
  readonly codeDue: boolean;
  readonly userId: string;
  readonly device: string;
}

/** Signs in the owner of a merchant, from a known device if one is given. Throws if the sign-in is refused. */
export async function signInAs(
  runtime: TestRuntime,
  { email, password }: Pick<TestMerchant, 'email' | 'password'>,
  devices: readonly string[] = [],
): Promise<SignedIn> {
  const signedIn = await signIn(runtime, { email, password: password ?? '', userAgent: 'Test', address: '192.0.2.1', devices });
  if (!signedIn.ok) throw new Error(`sign-in: ${signedIn.error.code}`);
  const { token, codeDue, user, device } = signedIn.value;
  return { token, codeDue, userId: user.id, device };
}

/** Returns the account of a session token. Throws if the token is invalid. */
export async function accountOf(runtime: TestRuntime, token: string): Promise<AccountAccess> {
  const account = await grantAccount(runtime, token);
  if (!account) throw new Error('this token opens nothing');
  return account;
}

/** Sets up and activates a second factor. Returns its secret and recovery codes. */
export async function secondFactorFor(
  runtime: TestRuntime,
  account: AccountAccess,
): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
  await startSecondFactor(runtime, account);
  const state = await readSecondFactor(runtime, account);
  if (state.kind !== 'setting_up') throw new Error(`the second factor is ${state.kind}`);
  const confirmed = await confirmSecondFactorSetup(runtime, account, codeAt(state.secret, runtime.clock()));
  if (!confirmed.ok) throw new Error(confirmed.error);
  return { secret: state.secret, codes: confirmed.value };
}
