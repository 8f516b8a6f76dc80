import { isProven } from '@/lib/accounts/access/grant-access';
import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { notifyOwner } from '@/lib/accounts/notify-owner';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-codes';
import { findSecondFactor, replaceRecoveryCodes } from './second-factor-store';

/** Replaces the user's recovery codes. The old codes stop working. Returns the new ones, which are shown once. */
export async function renewRecoveryCodes(
  runtime: NotifyRuntime,
  account: AccountAccess,
): Promise<Result<readonly string[], 'not_proven' | 'not_set_up'>> {
  const { id, email } = account.user;
  const now = runtime.clock();
  if (!isProven(account, now)) return fail('not_proven');
  const codes = makeRecoveryCodes(runtime.random);
  const renewed = await runtime.db.transaction(async (tx) => {
    if (!(await findSecondFactor(tx, id))?.confirmedAt) return false;
    await replaceRecoveryCodes(
      tx,
      id,
      codes.map((one) => hashRecoveryCode(runtime, one)),
      now,
    );
    const entry = { merchantId: null, environment: null, actor: account.actor, action: 'recovery-codes.renewed', subject: id };
    await recordEntry(runtime, entry, tx);
    await notifyOwner(runtime, email, 'codesRenewed', tx);
    return true;
  });
  return renewed ? ok(codes) : fail('not_set_up');
}
