import type { Connection } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { hashRecoveryCode, readCode } from './recovery-codes';
import { findSecondFactor, secondFactorContext, spendRecoveryCode, spendStep } from './second-factor-store';
import { matchTotp } from './totp';

export type CodeKind = 'app' | 'recovery';

/** Pure. Returns the kind of a typed code. Six digits are a code of the app. */
export function codeKind(code: string): CodeKind {
  return /^\d{6}$/.test(readCode(code)) ? 'app' : 'recovery';
}

/**
 * Checks a code of the user's app, or a recovery code, and uses it up. Refuses a second use, even at the same moment. Runs in the
 * transaction of the action that needs the code. Returns the kind of the code, or null if it is wrong.
 */
export async function spendCode(
  runtime: Pick<Runtime, 'secrets' | 'clock'>,
  { userId, code }: { readonly userId: string; readonly code: string },
  tx: Connection,
): Promise<CodeKind | null> {
  const factor = await findSecondFactor(tx, userId);
  if (!factor?.confirmedAt) return null;
  const typed = readCode(code);
  const now = runtime.clock();
  if (codeKind(typed) === 'app') {
    const step = matchTotp(runtime.secrets.decrypt(factor.encryptedSecret, secondFactorContext(userId)), typed, now);
    return step !== null && (await spendStep(tx, userId, step)) ? 'app' : null;
  }
  return (await spendRecoveryCode(tx, userId, hashRecoveryCode(runtime, typed), now)) ? 'recovery' : null;
}
