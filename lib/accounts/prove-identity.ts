import { recordEntry } from '@/lib/audit/record-entry';
import type { Runtime } from '@/lib/config/runtime';
import { fail, ok, type Result } from '@/lib/core/result';
import { passwordMatches } from './password';
import { PASSWORD_MAX } from './password-rules';
import { findSecondFactor } from './second-factor-store';
import { type Refusal, readSession } from './sign-in';
import { spendCode } from './spend-code';
import { findUserByEmail, markProven } from './store';
import { proofCounters } from './throttle-rules';
import { countTry, forgetTry, waitOf } from './throttle-store';

interface ProveIdentityOptions {
  readonly token: string | null;
  readonly password: string;
  /** Of the app, or a recovery code; not looked at where there is no second factor. */
  readonly code: string;
  readonly address: string | null;
}

/** Asks somebody who is signed in for the password, and the second factor where there is one, so that they may change what is delicate. */
export async function proveIdentity(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  { token, password, code, address }: ProveIdentityOptions,
): Promise<Result<null, Refusal>> {
  const { db, clock } = runtime;
  const session = token === null ? null : await readSession(runtime, token);
  if (!session) return fail({ code: 'wrong' });
  const { email, id } = session.user;
  const counters = proofCounters(session);
  const until = await countTry(runtime, counters);
  if (until) return fail({ code: 'wait', until });
  const user = await findUserByEmail(db, email);
  const matches = password.length <= PASSWORD_MAX && (await passwordMatches(password, user?.passwordHash ?? null)) === true;
  const proven = await db.transaction(async (tx) => {
    const needsCode = Boolean((await findSecondFactor(tx, id))?.confirmedAt);
    const right = matches && (!needsCode || (await spendCode(runtime, { userId: id, code }, tx)) !== null);
    const action = right ? 'identity.proven' : 'identity.refused';
    await recordEntry(runtime, { merchantId: null, environment: null, actor: `user:${email}`, action, subject: id, address }, tx);
    if (right) await markProven(tx, session.sessionId, clock());
    return right;
  });
  if (!proven) return fail({ code: 'wrong' });
  await forgetTry(runtime, counters);
  return ok(null);
}

/** What somebody who is signed in is asked for. */
export interface ProofNeeded {
  /** A second factor is on. */
  readonly code: boolean;
  /** Too much was tried: when it may be tried again. */
  readonly until: Date | null;
}

/** @returns what a proof of identity takes now. */
export async function readProofNeeded(runtime: Pick<Runtime, 'db' | 'clock'>, token: string | null): Promise<ProofNeeded> {
  const session = token === null ? null : await readSession(runtime, token);
  if (!session) return { code: false, until: null };
  const factor = await findSecondFactor(runtime.db, session.user.id);
  return { code: Boolean(factor?.confirmedAt), until: await waitOf(runtime, proofCounters(session)) };
}
