import { isProven } from '@/lib/accounts/access/grant-access';
import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { notifyOwner } from '@/lib/accounts/notify-owner';
import { endSessions } from '@/lib/accounts/sessions/session-store';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import { hashRecoveryCode, makeRecoveryCodes, readCode } from './recovery-codes';
import { confirmSecondFactor, findSecondFactor, replaceRecoveryCodes, secondFactorContext } from './second-factor-store';
import { matchTotp } from './totp';

/**
 * Turns on the second factor that was set up, if the code of the app is right. Ends all other sessions of the user, because they
 * began without a second factor. Returns the recovery codes, which are shown once.
 */
export async function confirmSecondFactorSetup(
  runtime: NotifyRuntime,
  account: AccountAccess,
  code: string,
): Promise<Result<readonly string[], 'not_proven' | 'not_set_up' | 'wrong'>> {
  const { id, email } = account.user;
  const now = runtime.clock();
  if (!isProven(account, now)) return fail('not_proven');
  const factor = await findSecondFactor(runtime.db, id);
  if (!factor || factor.confirmedAt) return fail('not_set_up');
  const step = matchTotp(runtime.secrets.decrypt(factor.encryptedSecret, secondFactorContext(id)), readCode(code), now);
  if (step === null) return fail('wrong');
  const codes = makeRecoveryCodes(runtime.random);
  const confirmed = await runtime.db.transaction(async (tx) => {
    if (!(await confirmSecondFactor(tx, { userId: id, encryptedSecret: factor.encryptedSecret, step, now }))) return false;
    await replaceRecoveryCodes(
      tx,
      id,
      codes.map((one) => hashRecoveryCode(runtime, one)),
      now,
    );
    await endSessions(tx, id, account.sessionId, now);
    const { actor } = account;
    await recordEntry(runtime, { merchantId: null, environment: null, actor, action: 'second-factor.on', subject: id }, tx);
    await notifyOwner(runtime, email, 'secondFactorOn', tx);
    return true;
  });
  return confirmed ? ok(codes) : fail('not_set_up');
}
