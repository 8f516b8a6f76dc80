import { isProven } from '@/lib/accounts/access/grant-access';
import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { notifyOwner } from '@/lib/accounts/notify-owner';
import { hashPassword } from '@/lib/accounts/passwords/password';
import type { PasswordProblem } from '@/lib/accounts/passwords/password-limits';
import { passwordProblem } from '@/lib/accounts/passwords/password-rules';
import { endSessions } from '@/lib/accounts/sessions/session-store';
import { sharedCodeCounters } from '@/lib/accounts/sign-in/throttle-rules';
import { resetCounters } from '@/lib/accounts/sign-in/throttle-store';
import { writePassword } from '@/lib/accounts/store';
import { recordEntry } from '@/lib/audit/record-entry';
import { fail, ok, type Result } from '@/lib/core/result';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
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
