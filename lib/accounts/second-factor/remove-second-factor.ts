import { isProven } from '@/lib/accounts/access/grant-access';
import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { notifyOwner } from '@/lib/accounts/notify-owner';
import { endSessions } from '@/lib/accounts/sessions/session-store';
import { findUserByEmail } from '@/lib/accounts/store';
import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import { deleteSecondFactor } from './second-factor-store';

/** Turns off the user's own second factor. Returns false if there was none, or if the user has not recently proven their identity. */
export async function switchOffSecondFactor(runtime: NotifyRuntime, account: AccountAccess): Promise<boolean> {
  const { id, email } = account.user;
  if (!isProven(account, runtime.clock())) return false;
  return runtime.db.transaction(async (tx) => {
    if (!(await deleteSecondFactor(tx, id))) return false;
    const entry = { merchantId: null, environment: null, actor: account.actor, action: 'second-factor.off', subject: id };
    await recordEntry(runtime, entry, tx);
    await notifyOwner(runtime, email, 'secondFactorOff', tx);
    return true;
  });
}

/**
 * Removes the second factor of a user who has lost both the phone and the recovery codes, on behalf of the operator. Ends the
 * user's sessions. Returns `unknown` for an unknown e-mail address and `none` if there was no second factor.
 */
export async function removeSecondFactor(
  runtime: NotifyRuntime,
  { email, actor }: { readonly email: string; readonly actor: Actor },
): Promise<'removed' | 'unknown' | 'none'> {
  const user = await findUserByEmail(runtime.db, email.trim());
  if (!user) return 'unknown';
  const removed = await runtime.db.transaction(async (tx) => {
    if (!(await deleteSecondFactor(tx, user.id))) return false;
    await endSessions(tx, user.id, null, runtime.clock());
    const entry = { merchantId: null, environment: null, actor, action: 'second-factor.removed', subject: user.id };
    await recordEntry(runtime, { ...entry, data: { email: user.email } }, tx);
    await notifyOwner(runtime, user.email, 'secondFactorOff', tx);
    return true;
  });
  return removed ? 'removed' : 'none';
}
