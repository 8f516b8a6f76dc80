import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import { passwordMatches } from './password';
import { readSession } from './sign-in';
import { findUserByEmail, markProven } from './store';

interface ProveIdentityOptions {
  readonly token: string | null;
  readonly password: string;
  readonly address: string | null;
}

/** Asks somebody who is signed in for the password once more, so that they may change what is delicate. @returns whether it is right. */
export async function proveIdentity(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { token, password, address }: ProveIdentityOptions,
): Promise<boolean> {
  const session = token === null ? null : await readSession(runtime, token);
  if (!session) return false;
  const { email, id } = session.user;
  const user = await findUserByEmail(runtime.db, email);
  const matches = await passwordMatches(password, user?.passwordHash ?? null);
  const action = matches ? 'identity.proven' : 'identity.refused';
  await recordEntry(runtime, { merchantId: null, environment: null, actor: `user:${email}`, action, subject: id, address });
  if (matches) await markProven(runtime.db, session.sessionId, runtime.clock());
  return matches;
}
