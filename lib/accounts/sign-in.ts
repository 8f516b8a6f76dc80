import { createHash } from 'node:crypto';
import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import { addMs, DAY_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { passwordMatches } from './password';
import { findSession, findUserByEmail, insertSession, revokeSession, type SignedIn, type User } from './store';

export const SESSION_MS = 7 * DAY_MS;

interface SignInOptions {
  readonly email: string;
  readonly password: string;
  readonly userAgent: string | null;
  readonly address: string | null;
}

/** @returns the person and a session's token, or null: never which of the two was wrong. */
export async function signIn(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { email, password, userAgent, address }: SignInOptions,
): Promise<{ user: User; token: string } | null> {
  const { db, clock, random } = runtime;
  const found = await findUserByEmail(db, email.trim());
  const matches = await passwordMatches(password, found?.passwordHash ?? null);
  if (!found || !matches) {
    await recordEntry(runtime, {
      merchantId: null,
      environment: null,
      actor: 'anonymous',
      action: 'sign-in.refused',
      subject: found?.id ?? 'unknown',
      address,
    });
    return null;
  }
  const token = Buffer.from(random(32)).toString('base64url');
  const createdAt = clock();
  await insertSession(db, {
    id: newId(runtime),
    tokenHash: hashToken(token),
    userId: found.id,
    userAgent: userAgent?.slice(0, 300) ?? null,
    address,
    createdAt,
    provenAt: createdAt,
    expiresAt: addMs(createdAt, SESSION_MS),
  });
  await recordEntry(runtime, {
    merchantId: null,
    environment: null,
    actor: `user:${found.email}`,
    action: 'sign-in',
    subject: found.id,
    address,
  });
  return { user: { id: found.id, email: found.email, name: found.name }, token };
}

/** @returns who is behind a session's token now, or null when it has ended. */
export async function readSession({ db, clock }: Pick<Runtime, 'db' | 'clock'>, token: string): Promise<SignedIn | null> {
  return findSession(db, hashToken(token), clock());
}

export async function signOut({ db, clock }: Pick<Runtime, 'db' | 'clock'>, token: string): Promise<void> {
  await revokeSession(db, hashToken(token), clock());
}

/** @returns what is stored of a session's token. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}
