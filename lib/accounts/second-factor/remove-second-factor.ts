import { isProven } from '@/lib/accounts/access/grant-access';
import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { endSessions } from '@/lib/accounts/sessions/session-store';
import { findUserByEmail } from '@/lib/accounts/store';
import { tellOwner } from '@/lib/accounts/tell-owner';
import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/runtime/runtime';
import { deleteSecondFactor } from './second-factor-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings' | 'secrets'>;

/** Switches one's own second factor off. @returns false when there was none, or the person has not proven who they are. */
export async function removeOwnSecondFactor(
  runtime: Needs,
  account: AccountAccess,
  { address }: { readonly address: string | null },
): Promise<boolean> {
  const { id, email } = account.user;
  if (!isProven(account, runtime.clock())) return false;
  return runtime.db.transaction(async (tx) => {
    if (!(await deleteSecondFactor(tx, id))) return false;
    const entry = { merchantId: null, environment: null, actor: `user:${email}`, action: 'second-factor.off', subject: id, address };
    await recordEntry(runtime, entry, tx);
    await tellOwner(runtime, email, 'secondFactorOff', tx);
    return true;
  });
}

/**
 * The operator takes the second factor off somebody who has lost both phone and recovery codes, and ends their sessions.
 * @returns what came of it.
 */
export async function removeSecondFactor(
  runtime: Needs,
  { email, actor }: { readonly email: string; readonly actor: string },
): Promise<'removed' | 'unknown' | 'none'> {
  const user = await findUserByEmail(runtime.db, email.trim());
  if (!user) return 'unknown';
  const removed = await runtime.db.transaction(async (tx) => {
    if (!(await deleteSecondFactor(tx, user.id))) return false;
    await endSessions(tx, user.id, null, runtime.clock());
    const entry = { merchantId: null, environment: null, actor, action: 'second-factor.removed', subject: user.id, address: null };
    await recordEntry(runtime, { ...entry, data: { email: user.email } }, tx);
    await tellOwner(runtime, user.email, 'secondFactorOff', tx);
    return true;
  });
  return removed ? 'removed' : 'none';
}
