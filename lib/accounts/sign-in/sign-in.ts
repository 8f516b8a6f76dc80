import { newDeviceId, readDeviceCookie } from '@/lib/accounts/device';
import { passwordMatches } from '@/lib/accounts/passwords/password';
import { findSecondFactor } from '@/lib/accounts/second-factor/second-factor-store';
import { type EndOptions, endByToken, startSession } from '@/lib/accounts/sessions/start-session';
import { findUserByEmail, isPasswordExpired, lockCredentials, type User } from '@/lib/accounts/store';
import { recordEntry } from '@/lib/audit/record-entry';
import { anonymousActor } from '@/lib/core/actor';
import { addMs, SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime, WriteRuntime } from '@/lib/runtime/runtime';
import { passwordCounters, signInCounters } from './throttle-rules';
import { countAttempt, uncountAttempt } from './throttle-store';

/** How long a sign-in must wait when the queue of password hashes is full. */
const BUSY_MS = 15 * SECOND_MS;

/** Wrong credentials, or too many attempts. `until`: when the next attempt is allowed. */
export type Refusal = { readonly code: 'wrong' } | { readonly code: 'wait'; readonly until: Date };

interface SignInOptions {
  readonly email: string;
  readonly password: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  /** All device cookies of the request. */
  readonly devices?: readonly string[];
  /** The token of the browser's previous session. Signing in ends that session. */
  readonly session?: string | null;
}

interface SignInResult {
  readonly user: User;
  readonly token: string;
  /** Whether the session gives no access until the code of the second factor is entered. */
  readonly codeDue: boolean;
  /** The device id to store in a cookie, once the sign-in is complete. */
  readonly device: string;
}

/**
 * Signs a user in with e-mail address and password, and starts a session. If one of them is wrong, the error does not say which. `expired`:
 * a command printed this password, and it was not changed in time.
 */
export async function signIn(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  { email, password, userAgent, address, devices = [], session = null }: SignInOptions,
): Promise<Result<SignInResult, Refusal | { readonly code: 'expired' }>> {
  const { db, random } = runtime;
  const found = await findUserByEmail(db, email.trim());
  const known = found && readDeviceCookie(runtime, found.id, devices);
  const counters = passwordCounters({ email, address, device: known });
  const until = (await countAttempt(runtime, counters)) ?? (await countAttempt(runtime, signInCounters({ email, address, device: known })));
  if (until) return fail({ code: 'wait', until });
  const matches = await passwordMatches(password, found?.passwordHash ?? null, known ? 'trusted' : 'stranger');
  if (matches === 'busy') {
    await uncountAttempt(runtime, counters);
    return fail({ code: 'wait', until: addMs(runtime.clock(), BUSY_MS) });
  }
  const refuse = async <Code extends 'wrong' | 'expired'>(code: Code): Promise<Result<never, { readonly code: Code }>> => {
    const entry = { merchantId: null, environment: null, actor: anonymousActor(address), action: 'sign-in.refused' };
    await recordEntry(runtime, { ...entry, subject: found?.id ?? 'unknown' });
    return fail({ code });
  };
  if (!found || !matches) return refuse('wrong');
  // Only somebody who knows the password learns that it has expired.
  if (isPasswordExpired(found, runtime.clock())) return refuse('expired');
  const codeDue = Boolean((await findSecondFactor(db, found.id))?.confirmedAt);
  const user: User = { id: found.id, email: found.email, name: found.name };
  // Changing the password or the e-mail address ends all sessions. This lock makes sure that a concurrent sign-in is ended, too.
  const token = await db.transaction(async (tx) =>
    (await lockCredentials(tx, found)) ? startSession(runtime, { user, userAgent, address, codeDue, replaces: session }, tx) : null,
  );
  if (token === null) return refuse('wrong');
  // If the user has a second factor, this sign-in stays counted, so that somebody who knows only the password cannot start sessions
  // without limit.
  if (!codeDue) await uncountAttempt(runtime, counters);
  return ok({ user, token, codeDue, device: known ?? newDeviceId(random, 'password') });
}

/** Ends a session by its token. Does nothing if the session has already ended. */
export async function signOut(runtime: WriteRuntime, options: EndOptions): Promise<void> {
  await runtime.db.transaction((tx) => endByToken(runtime, options, tx));
}
