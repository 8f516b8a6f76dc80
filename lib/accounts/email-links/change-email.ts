import { notifyOwner } from '@/lib/accounts/notify-owner';
import { endSessions } from '@/lib/accounts/sessions/session-store';
import { findUserByEmail, isEmailTaken, lockUser, type User, writeEmail } from '@/lib/accounts/store';
import { normalEmail } from '@/lib/accounts/team/invitation-rules';
import { revokeInvitationsOf } from '@/lib/accounts/team/invitation-store';
import { recordEntry } from '@/lib/audit/record-entry';
import { type Actor, systemActor } from '@/lib/core/actor';
import { isMailAddress } from '@/lib/core/mailbox';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Connection } from '@/lib/db/database';
import { isEmail } from '@/lib/merchants/rules';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import { endLinksOf } from './link-store';

export type ChangeEmailProblem = 'unknown' | 'email_wrong' | 'email_same' | 'email_taken';

/** Changes a user's e-mail address, on behalf of the operator, and ends all sessions of the user. Returns the new address. */
export async function changeEmail(
  runtime: NotifyRuntime,
  { email, to: typed, actor }: { readonly email: string; readonly to: string; readonly actor: Actor },
): Promise<Result<string, ChangeEmailProblem>> {
  const to = normalEmail(typed);
  if (!isEmail(to) || !isMailAddress(to)) return fail('email_wrong');
  const user = await findUserByEmail(runtime.db, email.trim());
  if (!user) return fail('unknown');
  if (to === user.email) return fail('email_same');
  try {
    return await runtime.db.transaction(async (tx) => {
      if ((await lockUser(tx, user.id)) !== user.email) return fail('unknown');
      await replaceEmail(runtime, { user, to, actor, except: null }, tx);
      return ok(to);
    });
  } catch (error) {
    if (isEmailTaken(error)) return fail('email_taken');
    throw error;
  }
}

interface ReplaceOptions {
  readonly user: User;
  readonly to: string;
  readonly actor: Actor;
  /** The session that stays open. Null to end all. */
  readonly except: string | null;
}

/**
 * Changes the address of a user whose row the caller's transaction has locked. Ends the user's sessions and revokes links and
 * invitations that were sent to the old mailbox, because it may belong to somebody else by now. Notifies the old address. Throws if
 * the new address is taken. Returns how many sessions ended.
 */
export async function replaceEmail(runtime: NotifyRuntime, { user, to, actor, except }: ReplaceOptions, tx: Connection): Promise<number> {
  const now = runtime.clock();
  await writeEmail(tx, user.id, to);
  await endLinksOf(tx, user.id, null, now);
  const sessionsEnded = await endSessions(tx, user.id, except, now);
  const data = { before: { email: user.email }, after: { email: to }, sessionsEnded };
  await recordEntry(runtime, { merchantId: null, environment: null, actor, action: 'email.changed', subject: user.id, data }, tx);
  // The inviting merchant may be unrelated to this user: its audit log must not show who changed the address, or from where.
  for (const { id, merchantId, role } of await revokeInvitationsOf(tx, user.email, now)) {
    const entry = { merchantId, environment: null, actor: systemActor('accounts'), action: 'invitation.revoked', subject: id };
    await recordEntry(runtime, { ...entry, data: { email: user.email, role, reason: 'this address is no longer in use' } }, tx);
  }
  await notifyOwner(runtime, user.email, 'emailChanged', tx);
  return sessionsEnded;
}
