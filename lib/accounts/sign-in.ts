import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import { addMs, DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Queryable } from '@/lib/db/database';
import { newDevice, openDevice } from './device';
import { passwordMatches } from './password';
import { findSecondFactor } from './second-factor-store';
import { endSurplusSessions, touchSession } from './session-store';
import { findSession, findUserByEmail, holdCredentials, insertSession, revokeSession, type SignedIn, type User } from './store';
import { passwordCounters, signInCounters } from './throttle-rules';
import { countTry, forgetTry } from './throttle-store';
import { hashToken, newToken } from './token';

export const SESSION_MS = 7 * DAY_MS;
/** How long the second factor is waited for. */
const CODE_MS = 10 * MINUTE_MS;
const SEEN_MS = 5 * MINUTE_MS;
/** When a sign-in may be tried again after too many waited for their hash. */
const BUSY_MS = 15 * SECOND_MS;
/** Sessions that one person may have at once, and sign-ins that wait for a code; a new one ends the one that was not used for longest. */
export const SESSIONS_MAX = 20;

/** What was tried is not right; or too much was tried, and it may be tried again then. */
export type Refusal = { readonly code: 'wrong' } | { readonly code: 'wait'; readonly until: Date };

interface SignInOptions {
  readonly email: string;
  readonly password: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  /** Every device cookie that came along. */
  readonly devices?: readonly string[];
}

interface Entered {
  readonly user: User;
  /** Of the new session. */
  readonly token: string;
  /** The session opens nothing before the second factor has been shown. */
  readonly codeDue: boolean;
  /** To be kept by the device, once nothing more is due. */
  readonly device: string;
}

/** Makes a session for whoever knows the password. @returns why not, but never which of the two was wrong. */
export async function signIn(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  { email, password, userAgent, address, devices = [] }: SignInOptions,
): Promise<Result<Entered, Refusal>> {
  const { db, random } = runtime;
  const found = await findUserByEmail(db, email.trim());
  const known = found && openDevice(runtime, found.id, devices);
  const counters = passwordCounters({ email, address, device: known });
  const until = (await countTry(runtime, counters)) ?? (await countTry(runtime, signInCounters({ email, address, device: known })));
  if (until) return fail({ code: 'wait', until });
  const matches = await passwordMatches(password, found?.passwordHash ?? null, known ? 'trusted' : 'stranger');
  if (matches === 'busy') {
    await forgetTry(runtime, counters);
    return fail({ code: 'wait', until: addMs(runtime.clock(), BUSY_MS) });
  }
  const refuse = async (): Promise<Result<never, Refusal>> => {
    await recordEntry(runtime, {
      merchantId: null,
      environment: null,
      actor: 'anonymous',
      action: 'sign-in.refused',
      subject: found?.id ?? 'unknown',
      address,
    });
    return fail({ code: 'wrong' });
  };
  if (!found || !matches) return refuse();
  const codeDue = Boolean((await findSecondFactor(db, found.id))?.confirmedAt);
  const user: User = { id: found.id, email: found.email, name: found.name };
  // A password or an address that is changed at this moment ends every session, also the one that it would have begun.
  const token = await db.transaction(async (tx) =>
    (await holdCredentials(tx, found)) ? startSession(runtime, { user, userAgent, address, codeDue }, tx) : null,
  );
  if (token === null) return refuse();
  // Else whoever has found out a password could begin sessions without end.
  if (!codeDue) await forgetTry(runtime, counters);
  return ok({ user, token, codeDue, device: known ?? newDevice(random, 'password') });
}

interface StartSessionOptions {
  readonly user: User;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly codeDue: boolean;
}

/** Makes a session for somebody who has shown who they are, but for a code where that is due, in the caller's transaction. @returns its token. */
export async function startSession(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { user, userAgent, address, codeDue }: StartSessionOptions,
  tx: Queryable,
): Promise<string> {
  const token = newToken(runtime.random);
  const createdAt = runtime.clock();
  await insertSession(tx, {
    id: newId(runtime),
    tokenHash: hashToken(token),
    userId: user.id,
    userAgent: userAgent?.slice(0, 300) ?? null,
    address,
    createdAt,
    provenAt: createdAt,
    expiresAt: addMs(createdAt, codeDue ? CODE_MS : SESSION_MS),
    codeDue,
  });
  await endSurplusSessions(tx, { userId: user.id, codeDue, keep: SESSIONS_MAX, now: createdAt });
  await recordEntry(
    runtime,
    {
      merchantId: null,
      environment: null,
      actor: `user:${user.email}`,
      action: codeDue ? 'sign-in.code-due' : 'sign-in',
      subject: user.id,
      address,
    },
    tx,
  );
  return token;
}

/** @returns who is behind a session's token now, or null when it has ended. Notes now and then that it is in use. */
export async function readSession({ db, clock }: Pick<Runtime, 'db' | 'clock'>, token: string): Promise<SignedIn | null> {
  const now = clock();
  const session = await findSession(db, hashToken(token), now);
  const before = addMs(now, -SEEN_MS);
  if (session && session.lastSeenAt <= before) await touchSession(db, session.sessionId, now, before);
  return session;
}

/** Ends a session by its token; one that has ended already stays as it ended. */
export async function signOut(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random'>,
  { token, address }: { readonly token: string; readonly address: string | null },
): Promise<void> {
  await runtime.db.transaction(async (tx) => {
    const user = await revokeSession(tx, hashToken(token), runtime.clock());
    // Nobody was signed in by a session that still waited for its code.
    if (!user || user.codeDue) return;
    const entry = { merchantId: null, environment: null, actor: `user:${user.email}`, action: 'sign-out', subject: user.id, address };
    await recordEntry(runtime, entry, tx);
  });
}
