import type { Connection, Database, Queryable } from '@/lib/platform/db/database';
import { postgresError } from '@/lib/platform/db/errors';
import type { Prisma } from '@/lib/platform/db/generated/client';
import { session } from '@/lib/platform/db/generated/tables';
import { text } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';

export interface User {
  readonly id: string;
  /** The e-mail address. For a cashier this is the login name, which is no e-mail address. */
  readonly email: string;
  readonly name: string;
}

/** The user of a session. */
export interface SignedInUser extends User {
  /** The phone number of a cashier. Null for everybody else. */
  readonly mobile: string | null;
}

const MEMBERSHIP = {
  role: true,
  merchant: {
    select: { id: true, slug: true, name: true, requireSecondFactor: true, profiles: { select: { environment: true, status: true } } },
  },
} as const;

/** A merchant whose team the person belongs to, and the person's role. */
export type Membership = Prisma.MembershipGetPayload<{ select: typeof MEMBERSHIP }>;

export interface SignedIn {
  readonly sessionId: string;
  /** When the user last proved their identity: at sign-in, or when asked again. */
  readonly provenAt: Date;
  readonly lastSeenAt: Date;
  /** The device on which a cashier entered the PIN. Null for a session that began with a password. */
  readonly cashierDeviceId: string | null;
  readonly user: SignedInUser;
  /** Whether the user signs in with two factors. A cashier always does: the device and the PIN. */
  readonly secondFactor: boolean;
  readonly memberships: readonly Membership[];
}

interface Credentials extends User {
  readonly passwordHash: string;
  readonly passwordExpiresAt: Date | null;
}

/** Returns the user with an e-mail address. Cashiers have none, so that they can neither sign in with a password nor reset one. */
export async function findUserByEmail(db: Database, email: string): Promise<Credentials | null> {
  return db.prisma.user.findUnique({
    where: { email: email.toLowerCase(), mobile: null },
    select: { id: true, email: true, name: true, passwordHash: true, passwordExpiresAt: true },
  });
}

/** Pure. Returns whether a password that a command printed has stopped working. */
export function isPasswordExpired({ passwordExpiresAt }: Pick<Credentials, 'passwordExpiresAt'>, now: Date): boolean {
  return passwordExpiresAt !== null && passwordExpiresAt <= now;
}

const LOCK_CREDENTIALS = statement({
  name: 'hold credentials',
  text: 'SELECT id FROM "user" WHERE id = $id AND email = $email AND password_hash = $passwordHash FOR SHARE',
  parameters: { id: session.id, email: text, passwordHash: text },
  columns: { id: session.id },
});

/** Locks a user row until the transaction ends. Returns whether the user still has this e-mail address and this password. */
export async function lockCredentials(
  tx: Queryable,
  credentials: { readonly id: string; readonly email: string; readonly passwordHash: string },
): Promise<boolean> {
  return (await LOCK_CREDENTIALS.first(tx, credentials)) !== undefined;
}

/** Reads a session that gives access now. Every request calls this, so that ending a session takes effect at once. */
export async function findSession(
  db: Database,
  tokenHash: Uint8Array<ArrayBuffer>,
  { now, usedSince }: { readonly now: Date; readonly usedSince: Date },
): Promise<SignedIn | null> {
  const session = await db.prisma.session.findFirst({
    where: { tokenHash, revokedAt: null, codeDue: false, expiresAt: { gt: now }, lastSeenAt: { gt: usedSince } },
    select: {
      id: true,
      provenAt: true,
      lastSeenAt: true,
      cashierDeviceId: true,
      user: {
        select: {
          id: true,
          email: true,
          name: true,
          mobile: true,
          secondFactor: { select: { confirmedAt: true } },
          memberships: { select: MEMBERSHIP, orderBy: { createdAt: 'asc' } },
        },
      },
    },
  });
  if (!session) return null;
  const { memberships, secondFactor, ...user } = session.user;
  const { id: sessionId, ...facts } = session;
  return { sessionId, ...facts, user, secondFactor: Boolean(secondFactor?.confirmedAt) || user.mobile !== null, memberships };
}

export async function findUserById({ prisma }: Connection, id: string): Promise<(User & { readonly merchants: readonly string[] }) | null> {
  const user = await prisma.user.findUnique({
    where: { id },
    select: { id: true, email: true, name: true, memberships: { select: { merchant: { select: { name: true } } } } },
  });
  if (!user) return null;
  const { memberships, ...person } = user;
  return { ...person, merchants: memberships.map(({ merchant }) => merchant.name) };
}

/** Stores a new password. @param passwordExpiresAt null if the person has chosen the password. */
export async function writePassword(
  { prisma }: Connection,
  userId: string,
  passwordHash: string,
  passwordExpiresAt: Date | null = null,
): Promise<void> {
  await prisma.user.updateMany({ where: { id: userId }, data: { passwordHash, passwordExpiresAt } });
}

const LOCK_USER = statement({
  name: 'hold a person',
  text: 'SELECT email FROM "user" WHERE id = $userId FOR UPDATE',
  parameters: { userId: session.userId },
  columns: { email: text },
});

/** Locks a user row until the transaction ends. Returns the user's e-mail address, or null if there is no such user. */
export async function lockUser(tx: Queryable, userId: string): Promise<string | null> {
  return (await LOCK_USER.first(tx, { userId }))?.email ?? null;
}

/**
 * Returns whether an error comes from the unique index on e-mail addresses. If two users change to the same address at the same time, only
 * this index detects it.
 */
export function isEmailTaken(error: unknown): boolean {
  const { code, constraint } = postgresError(error) ?? {};
  return code === '23505' && constraint === 'user_email_key';
}

/** Stores that the user has access to their mailbox. Returns false if this was already stored. */
export async function markEmailVerified({ prisma }: Connection, userId: string, now: Date): Promise<boolean> {
  const { count } = await prisma.user.updateMany({ where: { id: userId, emailVerifiedAt: null }, data: { emailVerifiedAt: now } });
  return count > 0;
}
