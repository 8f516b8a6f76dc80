import { readSession, type SessionRuntime } from '@/lib/identity/accounts/access/sessions';
import { passwordMatches } from '@/lib/identity/accounts/passwords/password';
import { PASSWORD_MAX } from '@/lib/identity/accounts/passwords/password-limits';
import { findUserByEmail, isPasswordExpired } from '@/lib/identity/accounts/store';
import { hashToken, newToken } from '@/lib/identity/accounts/token';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { userActor } from '@/lib/platform/core/actor';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { NotifyRuntime } from '@/lib/platform/runtime/runtime';
import { spendCode } from './second-factor-codes';
import { findSecondFactor } from './second-factor-store';
import type { Refusal } from './sign-in';
import { proofCounters } from './throttle-rules';
import { blockedUntil, countAttempt, uncountAttempt } from './throttle-store';

interface ProveIdentityOptions {
  readonly token: string | null;
  readonly password: string;
  /** A code of the app or a recovery code. Ignored if the user has no second factor. */
  readonly code: string;
  readonly address: string | null;
}

/**
 * Checks the password of a signed-in user, and the second factor if there is one, before sensitive changes. Returns the session's
 * new token. The old token stops working, also for anybody who has copied it.
 */
export async function proveIdentity(
  runtime: NotifyRuntime,
  { token, password, code, address }: ProveIdentityOptions,
): Promise<Result<string, Refusal>> {
  const { db, clock, random } = runtime;
  const session = token === null ? null : await readSession(runtime, token);
  if (token === null || !session) return fail({ code: 'wrong' });
  const { email, id } = session.user;
  const counters = proofCounters(session);
  const until = await countAttempt(runtime, counters);
  if (until) return fail({ code: 'wait', until });
  const user = await findUserByEmail(db, email);
  const works = user !== null && !isPasswordExpired(user, clock());
  const matches = works && password.length <= PASSWORD_MAX && (await passwordMatches(password, user.passwordHash)) === true;
  const next = newToken(random);
  const proven = await db.transaction(async (tx) => {
    const needsCode = Boolean((await findSecondFactor(tx, id))?.confirmedAt);
    const right = matches && (!needsCode || (await spendCode(runtime, { userId: id, code }, tx)) !== null);
    const action = right ? 'identity.proven' : 'identity.refused';
    await recordEntry(runtime, { merchantId: null, environment: null, actor: userActor({ email }, address), action, subject: id }, tx);
    if (!right) return false;
    const { count } = await tx.prisma.session.updateMany({
      where: { tokenHash: hashToken(token), revokedAt: null },
      data: { provenAt: clock(), tokenHash: hashToken(next) },
    });
    return count > 0;
  });
  if (!proven) return fail({ code: 'wrong' });
  await uncountAttempt(runtime, counters);
  return ok(next);
}

/** What a user must enter to prove their identity. */
interface ProofNeeded {
  readonly code: boolean;
  /** When the next attempt is allowed. Null if it is allowed now. */
  readonly until: Date | null;
}

/** Returns what the user must enter now to prove their identity. */
export async function readProofNeeded(runtime: SessionRuntime, token: string | null): Promise<ProofNeeded> {
  const session = token === null ? null : await readSession(runtime, token);
  if (!session) return { code: false, until: null };
  const factor = await findSecondFactor(runtime.db, session.user.id);
  return { code: Boolean(factor?.confirmedAt), until: await blockedUntil(runtime, proofCounters(session)) };
}
