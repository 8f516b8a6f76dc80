import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import { fail, ok, type Result } from '@/lib/core/result';
import { passwordMatches } from './password';
import { PASSWORD_MAX } from './password-limits';
import { readSession, type SessionRuntime } from './read-session';
import { findSecondFactor } from './second-factor-store';
import type { Refusal } from './sign-in';
import { spendCode } from './spend-code';
import { findUserByEmail, markProven } from './store';
import { proofCounters } from './throttle-rules';
import { countTry, forgetTry, waitOf } from './throttle-store';
import { hashToken, newToken } from './token';

interface ProveIdentityOptions {
  readonly token: string | null;
  readonly password: string;
  /** Of the app, or a recovery code; not looked at where there is no second factor. */
  readonly code: string;
  readonly address: string | null;
}

/**
 * Asks somebody who is signed in for the password, and the second factor where there is one, so that they may change what is delicate.
 * @returns the session's token from now on: the one before opens nothing, in whoever's hands it is.
 */
export async function proveIdentity(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets' | 'settings'>,
  { token, password, code, address }: ProveIdentityOptions,
): Promise<Result<string, Refusal>> {
  const { db, clock, random } = runtime;
  const session = token === null ? null : await readSession(runtime, token);
  if (token === null || !session) return fail({ code: 'wrong' });
  const { email, id } = session.user;
  const counters = proofCounters(session);
  const until = await countTry(runtime, counters);
  if (until) return fail({ code: 'wait', until });
  const user = await findUserByEmail(db, email);
  const matches = password.length <= PASSWORD_MAX && (await passwordMatches(password, user?.passwordHash ?? null)) === true;
  const next = newToken(random);
  const proven = await db.transaction(async (tx) => {
    const needsCode = Boolean((await findSecondFactor(tx, id))?.confirmedAt);
    const right = matches && (!needsCode || (await spendCode(runtime, { userId: id, code }, tx)) !== null);
    const action = right ? 'identity.proven' : 'identity.refused';
    await recordEntry(runtime, { merchantId: null, environment: null, actor: `user:${email}`, action, subject: id, address }, tx);
    return right && markProven(tx, { before: hashToken(token), after: hashToken(next), now: clock() });
  });
  if (!proven) return fail({ code: 'wrong' });
  await forgetTry(runtime, counters);
  return ok(next);
}

/** What somebody who is signed in is asked for. */
export interface ProofNeeded {
  /** A second factor is on. */
  readonly code: boolean;
  /** Too much was tried: when it may be tried again. */
  readonly until: Date | null;
}

/** @returns what a proof of identity takes now. */
export async function readProofNeeded(runtime: SessionRuntime, token: string | null): Promise<ProofNeeded> {
  const session = token === null ? null : await readSession(runtime, token);
  if (!session) return { code: false, until: null };
  const factor = await findSecondFactor(runtime.db, session.user.id);
  return { code: Boolean(factor?.confirmedAt), until: await waitOf(runtime, proofCounters(session)) };
}
