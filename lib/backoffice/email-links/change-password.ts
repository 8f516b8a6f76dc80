import { isProven } from '@/lib/identity/accounts/access/grant-access';
import type { AccountAccess } from '@/lib/identity/accounts/access/grant-account';
import { endSessions } from '@/lib/identity/accounts/access/session-store';
import { notifyOwner } from '@/lib/identity/accounts/notify-owner';
import { hashPassword, makePassword } from '@/lib/identity/accounts/passwords/password';
import { type PasswordProblem, PRINTED_PASSWORD_MS } from '@/lib/identity/accounts/passwords/password-limits';
import { passwordProblem } from '@/lib/identity/accounts/passwords/password-rules';
import { sharedCodeCounters } from '@/lib/identity/accounts/sign-in/throttle-rules';
import { resetCounters } from '@/lib/identity/accounts/sign-in/throttle-store';
import { findUserByEmail, writePassword } from '@/lib/identity/accounts/store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Actor } from '@/lib/platform/core/actor';
import { addMs } from '@/lib/platform/core/clock';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { NotifyRuntime } from '@/lib/platform/runtime/runtime';
import { endLinksOf } from './link-store';

/** Changes the user's password and ends all other sessions and all links that could set a password. Returns how many sessions ended. */
export async function changePassword(
  runtime: NotifyRuntime,
  account: AccountAccess,
  password: string,
): Promise<Result<number, PasswordProblem | 'not_proven'>> {
  const { user, actor, sessionId, merchants } = account;
  const now = runtime.clock();
  if (!isProven(account, now)) return fail('not_proven');
  const problem = passwordProblem(password, [user.email, user.name, ...merchants.map(({ name }) => name)]);
  if (problem) return fail(problem);
  const passwordHash = await hashPassword(password);
  const ended = await runtime.db.transaction(async (tx) => {
    await writePassword(tx, user.id, passwordHash);
    await endLinksOf(tx, user.id, null, now);
    const others = await endSessions(tx, user.id, sessionId, now);
    const entry = { merchantId: null, environment: null, actor, action: 'password.changed', subject: user.id };
    await recordEntry(runtime, { ...entry, data: { sessionsEnded: others } }, tx);
    await notifyOwner(runtime, user.email, 'passwordChanged', tx);
    return others;
  });
  await resetCounters(runtime, sharedCodeCounters(user.id));
  return ok(ended);
}

/**
 * Sets a random password for a user, on behalf of the operator, who sees it. It works for three days. Ends the user's sessions and every
 * link that could set a password. Returns the password and when it stops working, or null if nobody has this e-mail address.
 */
export async function resetPassword(
  runtime: NotifyRuntime,
  { email, actor }: { email: string; actor: Actor },
): Promise<{ readonly password: string; readonly expiresAt: Date } | null> {
  const { db, clock, random } = runtime;
  const user = await findUserByEmail(db, email.trim());
  if (!user) return null;
  const password = makePassword(random);
  const passwordHash = await hashPassword(password);
  const expiresAt = addMs(clock(), PRINTED_PASSWORD_MS);
  await db.transaction(async (tx) => {
    const now = clock();
    await writePassword(tx, user.id, passwordHash, expiresAt);
    await endLinksOf(tx, user.id, null, now);
    const ended = await endSessions(tx, user.id, null, now);
    const entry = { merchantId: null, environment: null, actor, action: 'password.reset', subject: user.id };
    await recordEntry(runtime, { ...entry, data: { sessionsEnded: ended } }, tx);
    await notifyOwner(runtime, user.email, 'passwordChanged', tx);
  });
  await resetCounters(runtime, sharedCodeCounters(user.id));
  return { password, expiresAt };
}
