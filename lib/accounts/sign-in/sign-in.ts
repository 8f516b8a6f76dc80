import { newDevice, openDevice } from '@/lib/accounts/device';
import { passwordMatches } from '@/lib/accounts/passwords/password';
import { findSecondFactor } from '@/lib/accounts/second-factor/second-factor-store';
import { type EndOptions, endByToken, startSession } from '@/lib/accounts/sessions/start-session';
import { findUserByEmail, holdCredentials, type User } from '@/lib/accounts/store';
import { recordEntry } from '@/lib/audit/record-entry';
import { addMs, SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { passwordCounters, signInCounters } from './throttle-rules';
import { countTry, forgetTry } from './throttle-store';

/** When a sign-in may be tried again after too many waited for their hash. */
const BUSY_MS = 15 * SECOND_MS;

/** What was tried is not right; or too much was tried, and it may be tried again then. */
export type Refusal = { readonly code: 'wrong' } | { readonly code: 'wait'; readonly until: Date };

interface SignInOptions {
  readonly email: string;
  readonly password: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  /** Every device cookie that came along. */
  readonly devices?: readonly string[];
  /** The token of the browser's earlier session, which ends. */
  readonly session?: string | null;
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
  { email, password, userAgent, address, devices = [], session = null }: SignInOptions,
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
    (await holdCredentials(tx, found)) ? startSession(runtime, { user, userAgent, address, codeDue, replaces: session }, tx) : null,
  );
  if (token === null) return refuse();
  // Else whoever has found out a password could begin sessions without end.
  if (!codeDue) await forgetTry(runtime, counters);
  return ok({ user, token, codeDue, device: known ?? newDevice(random, 'password') });
}

/** Ends a session by its token; one that has ended already stays as it ended. */
export async function signOut(runtime: Pick<Runtime, 'db' | 'clock' | 'random'>, options: EndOptions): Promise<void> {
  await runtime.db.transaction((tx) => endByToken(runtime, options, tx));
}
