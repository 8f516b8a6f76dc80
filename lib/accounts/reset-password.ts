import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import { hashPassword, makePassword } from './password';
import { replacePassword } from './store';

/** Gives a person a new password and ends their sessions. @returns the password, or null when nobody has this e-mail address. */
export async function resetPassword(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { email, actor }: { email: string; actor: string },
): Promise<string | null> {
  const password = makePassword(runtime.random);
  if (!(await replacePassword(runtime.db, email, await hashPassword(password), runtime.clock()))) return null;
  await recordEntry(runtime, { merchantId: null, environment: null, actor, action: 'password.reset', subject: email, address: null });
  return password;
}
