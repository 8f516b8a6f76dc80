import { newDeviceId } from '@/lib/accounts/device';
import { notifyOwner } from '@/lib/accounts/notify-owner';
import { hashPassword } from '@/lib/accounts/passwords/password';
import type { PasswordProblem } from '@/lib/accounts/passwords/password-limits';
import { passwordProblem } from '@/lib/accounts/passwords/password-rules';
import { deleteSecondFactor } from '@/lib/accounts/second-factor/second-factor-store';
import { endSessions } from '@/lib/accounts/sessions/session-store';
import { findUserById, lockUser, markEmailVerified, writePassword } from '@/lib/accounts/store';
import { hashToken } from '@/lib/accounts/token';
import { recordEntry } from '@/lib/audit/record-entry';
import { userActor } from '@/lib/core/actor';
import { fail, ok, type Result } from '@/lib/core/result';
import type { NotifyRuntime, ReadRuntime } from '@/lib/runtime/runtime';
import { endLinksOf, findLink, type OpenLink, spendLink } from './link-store';

/** Returns a reset link without using it up, or null if it does not work or its user has changed the e-mail address since. */
export async function readResetLink({ db, clock }: ReadRuntime, token: string): Promise<OpenLink | null> {
  const link = await findLink(db, 'reset', hashToken(token), clock());
  const user = link?.userId ? await findUserById(db, link.userId) : null;
  return user?.email === link?.email ? link : null;
}

interface FinishResetOptions {
  readonly token: string;
  readonly password: string;
  readonly address: string | null;
}

/**
 * Sets a new password by a link, once, and ends all sessions of the user. Does not sign the user in, and does not bypass the second
 * factor. Exception: removes a second factor that was set up before anybody proved access to the mailbox. Returns the user and the
 * id of a new known device, proven by the mailbox.
 */
export async function finishReset(
  runtime: NotifyRuntime,
  { token, password, address }: FinishResetOptions,
): Promise<Result<{ readonly userId: string; readonly email: string; readonly device: string }, PasswordProblem | 'link_ended'>> {
  const { db, clock, random } = runtime;
  const link = await readResetLink(runtime, token);
  const user = link?.userId ? await findUserById(db, link.userId) : null;
  if (!link || !user) return fail('link_ended');
  const problem = passwordProblem(password, [user.email, user.name, ...user.merchants]);
  if (problem) return fail(problem);
  const passwordHash = await hashPassword(password);
  const spent = await db.transaction(async (tx) => {
    const now = clock();
    // The row is locked first, so that the address cannot change meanwhile.
    if ((await lockUser(tx, user.id)) !== link.email) return false;
    if (!(await spendLink(tx, 'reset', hashToken(token), now))) return false;
    await writePassword(tx, user.id, passwordHash);
    await endLinksOf(tx, user.id, null, now);
    const ended = await endSessions(tx, user.id, null, now);
    const entry = { merchantId: null, environment: null, actor: userActor(user, address), action: 'password.reset', subject: user.id };
    await recordEntry(runtime, { ...entry, data: { sessionsEnded: ended } }, tx);
    await notifyOwner(runtime, user.email, 'passwordChanged', tx);
    if (link.mailed && (await markEmailVerified(tx, user.id, now)) && (await deleteSecondFactor(tx, user.id))) {
      const reason = 'set up before the address was verified';
      await recordEntry(runtime, { ...entry, action: 'second-factor.removed', data: { email: user.email, reason } }, tx);
      await notifyOwner(runtime, user.email, 'secondFactorOff', tx);
    }
    return true;
  });
  return spent ? ok({ userId: user.id, email: user.email, device: newDeviceId(random, 'mailbox') }) : fail('link_ended');
}
