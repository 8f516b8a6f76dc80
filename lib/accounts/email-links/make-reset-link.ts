import { findUserByEmail, type User } from '@/lib/accounts/store';
import { hashToken, newToken } from '@/lib/accounts/token';
import { recordEntry } from '@/lib/audit/record-entry';
import type { Actor } from '@/lib/core/actor';
import { addMs, HOUR_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import type { Connection } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { insertLink } from './link-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;

const LINK_MS = HOUR_MS;

/** Creates a link for the operator to hand to a user who lost the password. Returns it once, or null if nobody has this address. */
export async function makeResetLink(runtime: Needs, { email, actor }: { email: string; actor: Actor }): Promise<string | null> {
  const user = await findUserByEmail(runtime.db, email.trim());
  return user && runtime.db.transaction((tx) => makeLink(runtime, { user, actor, mailed: false }, tx));
}

interface MakeOptions {
  readonly user: User;
  readonly actor: Actor;
  /** Whether the link is mailed to the user and shown to nobody else. */
  readonly mailed: boolean;
}

/** Creates a reset link for a user in the caller's transaction. Returns its URL. */
export async function makeLink(runtime: Needs, { user, actor, mailed }: MakeOptions, tx: Connection): Promise<string> {
  const token = newToken(runtime.random);
  const createdAt = runtime.clock();
  const expiresAt = addMs(createdAt, LINK_MS);
  const { id: userId, email } = user;
  await insertLink(tx, { id: newId(runtime), kind: 'reset', tokenHash: hashToken(token), email, userId, mailed, createdAt, expiresAt });
  await recordEntry(runtime, { merchantId: null, environment: null, actor, action: 'password.reset-link', subject: userId }, tx);
  // The token is in the query because queries are not logged.
  return `${runtime.settings.LIVE_BASE_URL.origin}/reset?token=${token}`;
}
