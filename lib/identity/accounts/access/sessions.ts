import { CASHIER_SESSION_MS } from '@/lib/identity/accounts/cashier-rules';
import { findSession, type SignedIn, type User } from '@/lib/identity/accounts/store';
import { hashToken, newToken } from '@/lib/identity/accounts/token';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Settings } from '@/lib/platform/config/settings';
import { userActor } from '@/lib/platform/core/actor';
import { addMs, DAY_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import type { Connection } from '@/lib/platform/db/database';
import type { ReadRuntime, Runtime, WriteRuntime } from '@/lib/platform/runtime/runtime';
import { endSurplusSessions, findPendingSession } from './session-store';

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
  const session = {
    id: newId(runtime),
    tokenHash: hashToken(token),
    userId: user.id,
    userAgent: userAgent?.slice(0, 300) ?? null,
    address,
    createdAt,
    lastSeenAt: createdAt,
    // A PIN is enough to take money at the counter, but not to change the account. So the session starts as if the
    // password had not been confirmed.
    provenAt: cashierDeviceId === undefined ? createdAt : new Date(0),
    expiresAt: addMs(createdAt, cashierDeviceId === undefined ? (codeDue ? CODE_MS : SESSION_MS) : CASHIER_SESSION_MS),
    codeDue,
    cashierDeviceId: cashierDeviceId ?? null,
  };
  await tx.prisma.session.create({ data: session, select: { id: true } });
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
  const now = runtime.clock();
  const [ended] = await tx.prisma.session.updateManyAndReturn({
    where: { tokenHash: hashToken(token), revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
    select: { codeDue: true, user: { select: { id: true, email: true } } },
  });
  // A session that waited for its code was never signed in, so there is no sign-out to record.
  if (!ended || ended.codeDue) return;
  const { user } = ended;
  const entry = { merchantId: null, environment: null, actor: userActor(user, address), action: 'sign-out', subject: user.id };
  await recordEntry(runtime, entry, tx);
}

export type SessionRuntime = Pick<Runtime, 'db' | 'clock' | 'settings'>;

const TOUCH_MS = 5 * MINUTE_MS;

interface ReadOptions {
  /** True for a request that a page sends by itself, to refresh its data. Such a request does not count as use of the session. */
  readonly background?: boolean;
}

/**
 * Returns the session of a token with its user. Returns null if it has ended, expired, or was not used for `SESSION_IDLE_MINUTES`.
 * Regularly stores that the session is in use.
 */
export async function readSession(
  { db, clock, settings }: SessionRuntime,
  token: string,
  { background = false }: ReadOptions = {},
): Promise<SignedIn | null> {
  const now = clock();
  const session = await findSession(db, hashToken(token), { now, usedSince: usedSince(settings, now) });
  // The use of a session is stored at most once in this interval. Therefore a session may end too early, by up to one interval. To keep
  // this small, the interval is at most a tenth of the idle time.
  const before = addMs(now, -Math.min(TOUCH_MS, (settings.SESSION_IDLE_MINUTES * MINUTE_MS) / 10));
  if (session && !background && session.lastSeenAt <= before) {
    await db.prisma.session.updateMany({ where: { id: session.sessionId, lastSeenAt: { lte: before } }, data: { lastSeenAt: now } });
  }
  return session;
}

/** Returns the start of the idle time. A session that was not used since then has ended. */
export function usedSince({ SESSION_IDLE_MINUTES }: Pick<Settings, 'SESSION_IDLE_MINUTES'>, now: Date): Date {
  return addMs(now, -SESSION_IDLE_MINUTES * MINUTE_MS);
}

/** Returns whether the token belongs to a session that waits for the code of the second factor. */
export async function isCodeDue({ db, clock }: ReadRuntime, token: string | null): Promise<boolean> {
  return token !== null && (await findPendingSession(db, hashToken(token), clock())) !== null;
}
