import type { Environment } from '@/lib/core/scope';
import type { Database, Queryable } from '@/lib/db/database';
import { postgresError } from '@/lib/db/errors';
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
    readonly profiles: readonly { readonly environment: Environment; readonly status: 'pending' | 'active' | 'suspended' | 'closed' }[];
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

export async function insertSession(on: Queryable, session: NewSession): Promise<void> {
  const { id, tokenHash, userId, userAgent, address, createdAt, provenAt, expiresAt, codeDue = false } = session;
  await on.query(
    {
      text: `INSERT INTO session (id, token_hash, user_id, user_agent, address, created_at, proven_at, last_seen_at, expires_at, code_due)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $6, $8, $9)`,
    },
    [id, tokenHash, userId, userAgent, address, createdAt, provenAt, expiresAt, codeDue],
  );
}

/** @returns whether a person still signs in by this address and password, which stay theirs until the transaction ends. */
export async function holdCredentials(
  tx: Queryable,
  { id, email, passwordHash }: { readonly id: string; readonly email: string; readonly passwordHash: string },
): Promise<boolean> {
  const text = 'SELECT 1 FROM "user" WHERE id = $1 AND email = $2 AND password_hash = $3 FOR SHARE';
  return (await tx.query({ text }, [id, email, passwordHash])).length > 0;
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

/** @returns whose session has ended by it; null when it had ended, or run out, before. */
export async function revokeSession(on: Queryable, tokenHash: Uint8Array, now: Date): Promise<Ended | null> {
  const [user] = await on.query<Ended>(
    {
      text: `UPDATE session s SET revoked_at = $2 FROM "user" u
             WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND s.expires_at > $2 AND u.id = s.user_id
             RETURNING u.id, u.email, s.code_due AS "codeDue"`,
    },
    [tokenHash, now],
  );
  return user ?? null;
}

interface Proof {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly now: Date;
}

/** Notes that a session's owner has proven who they are, and gives the session another token. @returns false when it has ended. */
export async function markProven(on: Queryable, { before, after, now }: Proof): Promise<boolean> {
  const rows = await on.query(
    { text: 'UPDATE session SET proven_at = $3, token_hash = $2 WHERE token_hash = $1 AND revoked_at IS NULL RETURNING 1 AS proven' },
    [before, after, now],
  );
  return rows.length > 0;
}

/** @returns a person, with the names of their merchants. */
export async function findUserById(on: Queryable, id: string): Promise<(User & { readonly merchants: readonly string[] }) | null> {
  const [user] = await on.query<User & { merchants: string[] }>(
    {
      text: `SELECT u.id, u.email, u.name,
               ARRAY(SELECT m.name FROM membership s JOIN merchant m ON m.id = s.merchant_id WHERE s.user_id = u.id) AS merchants
             FROM "user" u WHERE u.id = $1`,
    },
    [id],
  );
  return user ?? null;
}

export async function writePassword(on: Queryable, userId: string, passwordHash: string): Promise<void> {
  await on.query({ text: 'UPDATE "user" SET password_hash = $2 WHERE id = $1' }, [userId, passwordHash]);
}

export async function writeName(on: Queryable, userId: string, name: string): Promise<void> {
  await on.query({ text: 'UPDATE "user" SET name = $2 WHERE id = $1' }, [userId, name]);
}

/** @returns a person's e-mail address, which stays theirs until the transaction ends; null when there is no such person. */
export async function holdUser(tx: Queryable, userId: string): Promise<string | null> {
  const [user] = await tx.query<{ email: string }>({ text: 'SELECT email FROM "user" WHERE id = $1 FOR UPDATE' }, [userId]);
  return user?.email ?? null;
}

/** Throws when somebody else has this e-mail address: `isEmailTaken` knows the error. */
export async function writeEmail(on: Queryable, userId: string, email: string): Promise<void> {
  await on.query({ text: 'UPDATE "user" SET email = $2 WHERE id = $1' }, [userId, email]);
}

/** @returns whether an error says that somebody else has an e-mail address already: only the unique index knows, of two at once. */
export function isEmailTaken(error: unknown): boolean {
  const { code, constraint } = postgresError(error) ?? {};
  return code === '23505' && constraint === 'user_email_key';
}

/** Notes that a person was seen to have the mailbox. @returns false when that was known before. */
export async function markEmailVerified(tx: Queryable, userId: string, now: Date): Promise<boolean> {
  const text = 'UPDATE "user" SET email_verified_at = $2 WHERE id = $1 AND email_verified_at IS NULL RETURNING 1 AS verified';
  return (await tx.query({ text }, [userId, now])).length > 0;
}
