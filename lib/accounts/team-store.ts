import type { Queryable } from '@/lib/db/database';
import type { Role } from './permissions';

export interface TeamMember {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
}

/** Holds a merchant's team until the transaction ends: whoever else would change it waits. @returns its members, as they are now. */
export async function lockTeam(tx: Queryable, merchantId: string): Promise<TeamMember[]> {
  await tx.query({ text: 'SELECT 1 FROM merchant WHERE id = $1 FOR NO KEY UPDATE' }, [merchantId]);
  return tx.query<TeamMember>(
    {
      text: `SELECT s.user_id AS "userId", u.email, s.role FROM membership s JOIN "user" u ON u.id = s.user_id WHERE s.merchant_id = $1`,
    },
    [merchantId],
  );
}

interface SignedInMember {
  readonly merchantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly now: Date;
}

/** @returns what somebody is in a team now; null for no member, and when the session has ended. */
export async function findRole(on: Queryable, { merchantId, userId, sessionId, now }: SignedInMember): Promise<Role | null> {
  const [member] = await on.query<{ role: Role }>(
    {
      text: `SELECT m.role FROM session s JOIN membership m ON m.user_id = s.user_id
             WHERE s.id = $1 AND s.user_id = $2 AND m.merchant_id = $3 AND s.revoked_at IS NULL AND NOT s.code_due AND s.expires_at > $4`,
    },
    [sessionId, userId, merchantId, now],
  );
  return member?.role ?? null;
}

export async function updateRole(tx: Queryable, merchantId: string, userId: string, role: Role): Promise<void> {
  await tx.query({ text: 'UPDATE membership SET role = $3 WHERE merchant_id = $1 AND user_id = $2' }, [merchantId, userId, role]);
}

export async function deleteMember(tx: Queryable, merchantId: string, userId: string): Promise<void> {
  await tx.query({ text: 'DELETE FROM membership WHERE merchant_id = $1 AND user_id = $2' }, [merchantId, userId]);
}

interface NewMember {
  readonly merchantId: string;
  readonly userId: string;
  readonly role: Role;
  readonly createdAt: Date;
}

/** Somebody who is a member already stays what they are. */
export async function insertMember(tx: Queryable, { merchantId, userId, role, createdAt }: NewMember): Promise<void> {
  await tx.query(
    { text: 'INSERT INTO membership (merchant_id, user_id, role, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING' },
    [merchantId, userId, role, createdAt],
  );
}

export interface ListedMember extends TeamMember {
  readonly name: string;
  readonly since: Date;
  /** When they last opened a page, of this merchant or another; null for never. */
  readonly lastSeenAt: Date | null;
  readonly secondFactor: boolean;
  /** Whether the person was seen to have the mailbox of their e-mail address, or the operator vouched for it. */
  readonly emailConfirmed: boolean;
}

export async function listMembers(db: Queryable, merchantId: string): Promise<ListedMember[]> {
  return db.query<ListedMember>(
    {
      text: `SELECT s.user_id AS "userId", u.email, u.name, s.role, s.created_at AS since,
               (SELECT max(last_seen_at) FROM session WHERE user_id = u.id AND NOT code_due) AS "lastSeenAt",
               EXISTS (SELECT 1 FROM second_factor f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL) AS "secondFactor",
               u.email_verified_at IS NOT NULL AS "emailConfirmed"
             FROM membership s JOIN "user" u ON u.id = s.user_id WHERE s.merchant_id = $1 ORDER BY s.role, s.created_at, s.user_id`,
    },
    [merchantId],
  );
}
