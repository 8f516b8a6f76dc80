import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import { fail, ok, type Result } from '@/lib/core/result';
import { isProven } from './grant-access';
import type { AccountAccess } from './grant-account';
import { endLinksOf } from './link-store';
import { hashPassword } from './password';
import type { PasswordProblem } from './password-limits';
import { passwordProblem } from './password-rules';
import { endSessions } from './session-store';
import { writePassword } from './store';
import { tellOwner } from './tell-owner';
import { sharedCodeCounters } from './throttle-rules';
import { renewTries } from './throttle-store';

interface ChangePasswordOptions {
  readonly password: string;
  readonly address: string | null;
}

/** Gives a person another password, and ends all of their sessions but this one and every link that would set another. @returns how many ended. */
export async function changePassword(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'settings' | 'secrets'>,
  account: AccountAccess,
  { password, address }: ChangePasswordOptions,
): Promise<Result<number, PasswordProblem | 'not_proven'>> {
  const { user, sessionId, merchants } = account;
  const now = runtime.clock();
  if (!isProven(account, now)) return fail('not_proven');
  const problem = passwordProblem(password, [user.email, user.name, ...merchants.map(({ name }) => name)]);
  if (problem) return fail(problem);
  const passwordHash = await hashPassword(password);
  const ended = await runtime.db.transaction(async (tx) => {
    await writePassword(tx, user.id, passwordHash);
    await endLinksOf(tx, user.id, null, now);
    const others = await endSessions(tx, user.id, sessionId, now);
    const entry = {
      merchantId: null,
      environment: null,
      actor: `user:${user.email}`,
      action: 'password.changed',
      subject: user.id,
      address,
    };
    await recordEntry(runtime, { ...entry, data: { sessionsEnded: others } }, tx);
    await tellOwner(runtime, user.email, 'passwordChanged', tx);
    return others;
  });
  await renewTries(runtime, sharedCodeCounters(user.id));
  return ok(ended);
}
