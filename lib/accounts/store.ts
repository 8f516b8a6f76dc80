import type { ProfileStatus } from '@/lib/core/profile-status';
import type { Environment } from '@/lib/core/scope';
import type { Connection, Database, Queryable } from '@/lib/db/database';
import { postgresError } from '@/lib/db/errors';
import { boolean, bytes, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';
import type { Role } from './permissions';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** A merchant that a person may see, and as what. */
export interface Membership {
  readonly role: Role;
  readonly merchant: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    /** Whether the merchant asks all of its members for a second factor. */
    readonly requireSecondFactor: boolean;
    readonly profiles: readonly { readonly environment: Environment; readonly status: ProfileStatus }[];
  };
}

export interface SignedIn {
  readonly sessionId: string;
  /** When its owner last proved who they are. */
  readonly provenAt: Date;
  readonly lastSeenAt: Date;
  readonly user: User;
  /** Whether the person has a second factor. */
  readonly secondFactor: boolean;
  readonly memberships: readonly Membership[];
}

export async function findUserByEmail(db: Database, email: string): Promise<(User & { passwordHash: string }) | null> {
  return db.prisma.user.findUnique({
    where: { email: email.toLowerCase() },
    select: { id: true, email: true, name: true, passwordHash: true },
  });
}

interface NewSession {
  readonly id: string;
  readonly tokenHash: Uint8Array<ArrayBuffer>;
  readonly userId: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly createdAt: Date;
  readonly provenAt: Date;
  readonly expiresAt: Date;
  /** The second factor is still to come: until then it opens nothing. */
  readonly codeDue?: boolean;
}

export async function insertSession({ prisma }: Connection, session: NewSession): Promise<void> {
  const { id, tokenHash, userId, userAgent, address, createdAt, provenAt, expiresAt, codeDue = false } = session;
  await prisma.session.create({
    data: { id, tokenHash, userId, userAgent, address, createdAt, provenAt, lastSeenAt: createdAt, expiresAt, codeDue },
    select: { id: true },
  });
}

const HOLD_CREDENTIALS = statement({
  name: 'hold credentials',
  text: 'SELECT id FROM "user" WHERE id = $id AND email = $email AND password_hash = $passwordHash FOR SHARE',
  parameters: { id: uuid, email: text, passwordHash: text },
  columns: { id: uuid },
});

/** @returns whether a person still signs in by this address and password, which stay theirs until the transaction ends. */
export async function holdCredentials(
  tx: Queryable,
  credentials: { readonly id: string; readonly email: string; readonly passwordHash: string },
): Promise<boolean> {
  return (await HOLD_CREDENTIALS.first(tx, credentials)) !== undefined;
}

/** The authority behind every request: asked each time, so that what ends a session acts at once. */
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
      user: {
        select: {
          id: true,
          email: true,
          name: true,
          secondFactor: { select: { confirmedAt: true } },
          memberships: {
            select: {
              role: true,
              merchant: {
                select: {
                  id: true,
                  slug: true,
                  name: true,
                  requireSecondFactor: true,
                  profiles: { select: { environment: true, status: true } },
                },
              },
            },
            orderBy: { createdAt: 'asc' },
          },
        },
      },
    },
  });
  if (!session) return null;
  const { memberships, secondFactor, ...user } = session.user;
  const { id: sessionId, provenAt, lastSeenAt } = session;
  return { sessionId, provenAt, lastSeenAt, user, secondFactor: Boolean(secondFactor?.confirmedAt), memberships };
}

interface Ended extends Pick<User, 'id' | 'email'> {
  readonly codeDue: boolean;
}

const REVOKE_SESSION = statement({
  name: 'revoke a session',
  text: `UPDATE session s SET revoked_at = $now FROM "user" u
         WHERE s.token_hash = $tokenHash AND s.revoked_at IS NULL AND s.expires_at > $now AND u.id = s.user_id
         RETURNING u.id, u.email, s.code_due AS "codeDue"`,
  parameters: { tokenHash: bytes, now: timestamptz },
  columns: { id: uuid, email: text, codeDue: boolean },
});

/** @returns whose session has ended by it; null when it had ended, or run out, before. */
export async function revokeSession(on: Queryable, tokenHash: Uint8Array, now: Date): Promise<Ended | null> {
  return (await REVOKE_SESSION.first(on, { tokenHash, now })) ?? null;
}

interface Proof {
  readonly before: Uint8Array<ArrayBuffer>;
  readonly after: Uint8Array<ArrayBuffer>;
  readonly now: Date;
}

/** Notes that a session's owner has proven who they are, and gives the session another token. @returns false when it has ended. */
export async function markProven({ prisma }: Connection, { before, after, now }: Proof): Promise<boolean> {
  const { count } = await prisma.session.updateMany({
    where: { tokenHash: before, revokedAt: null },
    data: { provenAt: now, tokenHash: after },
  });
  return count > 0;
}

/** @returns a person, with the names of their merchants. */
export async function findUserById({ prisma }: Connection, id: string): Promise<(User & { readonly merchants: readonly string[] }) | null> {
  const user = await prisma.user.findUnique({
    where: { id },
    select: { id: true, email: true, name: true, memberships: { select: { merchant: { select: { name: true } } } } },
  });
  if (!user) return null;
  const { memberships, ...person } = user;
  return { ...person, merchants: memberships.map(({ merchant }) => merchant.name) };
}

export async function writePassword({ prisma }: Connection, userId: string, passwordHash: string): Promise<void> {
  await prisma.user.updateMany({ where: { id: userId }, data: { passwordHash } });
}

export async function writeName({ prisma }: Connection, userId: string, name: string): Promise<void> {
  await prisma.user.updateMany({ where: { id: userId }, data: { name } });
}

const HOLD_USER = statement({
  name: 'hold a person',
  text: 'SELECT email FROM "user" WHERE id = $userId FOR UPDATE',
  parameters: { userId: uuid },
  columns: { email: text },
});

/** @returns a person's e-mail address, which stays theirs until the transaction ends; null when there is no such person. */
export async function holdUser(tx: Queryable, userId: string): Promise<string | null> {
  return (await HOLD_USER.first(tx, { userId }))?.email ?? null;
}

/** Throws when somebody else has this e-mail address: `isEmailTaken` knows the error. */
export async function writeEmail({ prisma }: Connection, userId: string, email: string): Promise<void> {
  await prisma.user.updateMany({ where: { id: userId }, data: { email } });
}

/** @returns whether an error says that somebody else has an e-mail address already: only the unique index knows, of two at once. */
export function isEmailTaken(error: unknown): boolean {
  const { code, constraint } = postgresError(error) ?? {};
  return code === '23505' && constraint === 'user_email_key';
}

/** Notes that a person was seen to have the mailbox. @returns false when that was known before. */
export async function markEmailVerified({ prisma }: Connection, userId: string, now: Date): Promise<boolean> {
  const { count } = await prisma.user.updateMany({ where: { id: userId, emailVerifiedAt: null }, data: { emailVerifiedAt: now } });
  return count > 0;
}
