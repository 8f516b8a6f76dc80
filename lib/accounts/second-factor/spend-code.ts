import type { Connection } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { hashRecoveryCode, readCode } from './recovery-codes';
import { findSecondFactor, secondFactorContext, spendRecoveryCode, spendStep } from './second-factor-store';
import { matchTotp } from './totp';

/** Which kind of code it is. */
export type CodeKind = 'app' | 'recovery';

/** Pure. @returns as what a code that was typed is tried: six digits are an app's. */
export function codeKind(code: string): CodeKind {
  return /^\d{6}$/.test(readCode(code)) ? 'app' : 'recovery';
}

interface SpendCodeOptions {
  readonly userId: string;
  /** As it was typed. */
  readonly code: string;
}

/**
 * Accepts a code of somebody's app, or a recovery code, and never again: whoever comes second with it, even at the same moment, is
 * refused. In the caller's transaction, with what the code is for. @returns which kind it was, or null when it is not right.
 */
export async function spendCode(
  runtime: Pick<Runtime, 'secrets' | 'clock'>,
  { userId, code }: SpendCodeOptions,
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
