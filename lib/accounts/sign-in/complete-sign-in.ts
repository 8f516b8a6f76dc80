import { deviceProof, newDeviceId, readDeviceCookie } from '@/lib/accounts/device';
import { notifyOwner } from '@/lib/accounts/notify-owner';
import { type CodeKind, codeKind, spendCode } from '@/lib/accounts/second-factor/spend-code';
import { completeSession, endSurplusSessions, findPendingSession } from '@/lib/accounts/sessions/session-store';
import { SESSION_MS, SESSIONS_MAX } from '@/lib/accounts/sessions/start-session';
import { hashToken, newToken } from '@/lib/accounts/token';
import { recordEntry } from '@/lib/audit/record-entry';
import { userActor } from '@/lib/core/actor';
import { addMs } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import type { Refusal } from './sign-in';
import { codeCounters, warningCounters, wrongCodeCounters } from './throttle-rules';
import { countAttempt, uncountAttempt } from './throttle-store';

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
    const completed = await completeSession(tx, { sessionId, tokenHash: hashToken(next), now, expiresAt: addMs(now, SESSION_MS) });
    if (!completed) return 'too_late';
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
