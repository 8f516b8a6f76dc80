import { CASHIER_SESSION_MS } from '@/lib/accounts/cashier-rules';
import { insertSession, revokeSession, type User } from '@/lib/accounts/store';
import { hashToken, newToken } from '@/lib/accounts/token';
import { recordEntry } from '@/lib/audit/record-entry';
import { userActor } from '@/lib/core/actor';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import type { Connection } from '@/lib/db/database';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { endSurplusSessions } from './session-store';

export const SESSION_MS = 7 * DAY_MS;
/** How long a session waits for the code of the second factor. */
const CODE_MS = 10 * MINUTE_MS;
/**
 * The maximum number of a user's complete sessions. The same maximum applies separately to the sessions that wait for a code. A further
 * session ends the least recently used session.
 */
export const SESSIONS_MAX = 20;

interface StartSessionOptions {
  readonly user: User;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly codeDue: boolean;
  /** The token of the browser's previous session. This session is ended, so that copies of its cookie stop working. */
  readonly replaces: string | null;
  /** The device on which a cashier entered the PIN. Absent for everybody else. */
  readonly cashierDeviceId?: string;
}

/**
 * Starts a session for a user who has given the password or another proof, in the caller's transaction. With `codeDue`, the session gives
 * no access until the code of the second factor is entered. Returns the token of the session.
 */
export async function startSession(
  runtime: WriteRuntime,
  { user, userAgent, address, codeDue, replaces, cashierDeviceId }: StartSessionOptions,
  tx: Connection,
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
    // A PIN is enough to take money at the counter, but not to change the account. So the session starts as if the
    // password had not been confirmed.
    provenAt: cashierDeviceId === undefined ? createdAt : new Date(0),
    expiresAt: addMs(createdAt, cashierDeviceId === undefined ? (codeDue ? CODE_MS : SESSION_MS) : CASHIER_SESSION_MS),
    codeDue,
    cashierDeviceId: cashierDeviceId ?? null,
  });
  if (replaces !== null) await endByToken(runtime, { token: replaces, address }, tx);
  await endSurplusSessions(tx, { userId: user.id, codeDue, keep: SESSIONS_MAX, now: createdAt });
  const entry = { merchantId: null, environment: null, actor: userActor(user, address), subject: user.id };
  const data = cashierDeviceId === undefined ? {} : { device: cashierDeviceId };
  await recordEntry(runtime, { ...entry, action: codeDue ? 'sign-in.code-due' : 'sign-in', data }, tx);
  return token;
}

export interface EndOptions {
  readonly token: string;
  readonly address: string | null;
}

/** Ends a session by its token, in the caller's transaction. Does nothing if the session has already ended. */
export async function endByToken(runtime: WriteRuntime, { token, address }: EndOptions, tx: Connection): Promise<void> {
  const user = await revokeSession(tx, hashToken(token), runtime.clock());
  // A session that waited for its code was never signed in, so there is no sign-out to record.
  if (!user || user.codeDue) return;
  const entry = { merchantId: null, environment: null, actor: userActor(user, address), action: 'sign-out', subject: user.id };
  await recordEntry(runtime, entry, tx);
}
