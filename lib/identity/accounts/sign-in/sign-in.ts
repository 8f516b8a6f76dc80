import { endSurplusSessions, findPendingSession } from '@/lib/identity/accounts/access/session-store';
import { type EndOptions, endByToken, SESSION_MS, SESSIONS_MAX, startSession } from '@/lib/identity/accounts/access/sessions';
import { deviceProof, newDeviceId, readDeviceCookie } from '@/lib/identity/accounts/device';
import { notifyOwner } from '@/lib/identity/accounts/notify-owner';
import { passwordMatches } from '@/lib/identity/accounts/passwords/password';
import { PASSWORD_MAX } from '@/lib/identity/accounts/passwords/password-limits';
import { findUserByEmail, isPasswordExpired, lockCredentials, type User } from '@/lib/identity/accounts/store';
import { hashToken, newToken } from '@/lib/identity/accounts/token';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { anonymousActor, userActor } from '@/lib/platform/core/actor';
import { addMs, SECOND_MS } from '@/lib/platform/core/clock';
import { EMAIL_MAX } from '@/lib/platform/core/mailbox';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { NotifyRuntime, Runtime, WriteRuntime } from '@/lib/platform/runtime/runtime';
import { type CodeKind, codeKind, spendCode } from './second-factor-codes';
import { findSecondFactor } from './second-factor-store';
import { codeCounters, passwordCounters, signInCounters, warningCounters, wrongCodeCounters } from './throttle-rules';
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

/** Returns whether texts are short enough for an e-mail address and a password, and can be stored. Others are refused without a look-up. */
export function isCredential(email: string, password: string): boolean {
  return email.length <= EMAIL_MAX && password.length <= PASSWORD_MAX && !email.includes('\0');
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

interface CompleteSignInOptions {
  /** The token of the session that waits for the code. */
  readonly token: string | null;
  readonly code: string;
  readonly devices: readonly string[];
  readonly address: string | null;
}

interface CompletedSignIn {
  readonly userId: string;
  /** The session's new token. The token that the session had before the code was entered stops working. */
  readonly token: string;
  readonly device: string;
  readonly kind: CodeKind;
}

/** Completes a sign-in with the code of the second factor. `signed_out`: no session waits for a code any more. */
export async function completeSignIn(
  runtime: NotifyRuntime,
  { token, code, devices, address }: CompleteSignInOptions,
): Promise<Result<CompletedSignIn, Refusal | { readonly code: 'signed_out' }>> {
  const { db, clock, random } = runtime;
  const pending = token === null ? null : await findPendingSession(db, hashToken(token), clock());
  if (!pending) return fail({ code: 'signed_out' });
  const { sessionId, userId, email } = pending;
  const known = readDeviceCookie(runtime, userId, devices);
  const counters = codeCounters({ userId, sessionId, device: known, address, kind: codeKind(code) });
  const until = await countAttempt(runtime, counters);
  if (until) return fail({ code: 'wait', until });

  const next = newToken(random);
  const now = clock();
  const entry = { merchantId: null, environment: null, actor: userActor({ email }, address), subject: userId };
  const kind = await db.transaction(async (tx) => {
    const spent = await spendCode(runtime, { userId, code }, tx);
    if (!spent) {
      await recordEntry(runtime, { ...entry, action: 'sign-in.code-refused' }, tx);
      return null;
    }
    const completed = await tx.prisma.session.updateMany({
      where: { id: sessionId, codeDue: true, revokedAt: null, expiresAt: { gt: now } },
      data: {
        ...{ codeDue: false, createdAt: now, provenAt: now, lastSeenAt: now },
        ...{ tokenHash: hashToken(next), expiresAt: addMs(now, SESSION_MS) },
      },
    });
    if (completed.count === 0) return 'too_late';
    await endSurplusSessions(tx, { userId, codeDue: false, keep: SESSIONS_MAX, now });
    await recordEntry(runtime, { ...entry, action: 'sign-in', data: { code: spent } }, tx);
    return spent;
  });
  if (kind === 'too_late') return fail({ code: 'signed_out' });
  if (kind === null) {
    await warnOwner(runtime, { userId, email });
    return fail({ code: 'wrong' });
  }
  await uncountAttempt(runtime, counters);
  return ok({ userId, token: next, device: known !== null && deviceProof(known) === 'code' ? known : newDeviceId(random, 'code'), kind });
}

/** Counts a wrong code after the right password. After several in a day, warns the owner, once a day, that somebody knows the password. */
async function warnOwner(runtime: NotifyRuntime, { userId, email }: { readonly userId: string; readonly email: string }): Promise<void> {
  if ((await countAttempt(runtime, wrongCodeCounters(userId))) === null) return;
  if ((await countAttempt(runtime, warningCounters(userId))) !== null) return;
  await notifyOwner(runtime, email, 'codesRefused', runtime.db);
}
