import type { Connection, Queryable } from '@/lib/platform/db/database';
import type { Membership } from '@/lib/platform/db/generated/client';
import { membership, merchant, session } from '@/lib/platform/db/generated/tables';
import { boolean, nullable, pick, text } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { Role } from './permissions';

interface TeamMember {
  readonly userId: string;
  readonly email: string;
  /** The phone number of a cashier who signs in with a PIN. Null for everybody else. */
  readonly mobile: string | null;
  readonly role: Role;
}

const LOCK_TEAM = statement({
  name: 'lock a team',
  text: 'SELECT id FROM merchant WHERE id = $merchantId FOR NO KEY UPDATE',
  parameters: { merchantId: merchant.id },
  columns: { id: merchant.id },
});

/** Locks a merchant's team until the transaction ends and returns its members. Other transactions that change the team wait. */
export async function lockTeam(tx: Connection, merchantId: string): Promise<TeamMember[]> {
  await LOCK_TEAM.rows(tx, { merchantId });
  const members = await tx.prisma.membership.findMany({
    where: { merchantId },
    select: { userId: true, role: true, user: { select: { email: true, mobile: true } } },
  });
  return members.map(({ userId, role, user }) => ({ userId, email: user.email, mobile: user.mobile, role }));
}

interface SignedInMember {
  readonly merchantId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly now: Date;
}

/** Returns the user's present role in a team. Returns null if the user is not a member or the session has ended. */
export async function findRole({ prisma }: Connection, { merchantId, userId, sessionId, now }: SignedInMember): Promise<Role | null> {
  const session = { id: sessionId, userId, revokedAt: null, codeDue: false, expiresAt: { gt: now } };
  const member = await prisma.membership.findFirst({
    where: { merchantId, userId, user: { sessions: { some: session } } },
    select: { role: true },
  });
  return member?.role ?? null;
}

export async function updateRole({ prisma }: Connection, merchantId: string, userId: string, role: Role): Promise<void> {
  await prisma.membership.updateMany({ where: { merchantId, userId }, data: { role } });
}

export async function deleteMember({ prisma }: Connection, merchantId: string, userId: string): Promise<void> {
  await prisma.membership.deleteMany({ where: { merchantId, userId } });
}

/** Inserts a member. If the user is already a member, does nothing and does not change the role. */
export async function insertMember({ prisma }: Connection, member: Membership): Promise<void> {
  await prisma.membership.createMany({ data: member, skipDuplicates: true });
}

const LIST_MEMBERS = statement({
  name: 'list members',
  text: `SELECT s.user_id AS "userId", u.email, u.name, u.mobile, s.role, s.created_at AS since,
           (SELECT max(last_seen_at) FROM session WHERE user_id = u.id AND NOT code_due) AS "lastSeenAt",
           u.mobile IS NOT NULL OR EXISTS (SELECT 1 FROM second_factor f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL) AS "secondFactor",
           u.email_verified_at IS NOT NULL AS "emailConfirmed"
         FROM membership s JOIN "user" u ON u.id = s.user_id WHERE s.merchant_id = $merchantId ORDER BY s.role, s.created_at, s.user_id`,
  parameters: { merchantId: membership.merchantId },
  columns: {
    ...pick(membership, 'userId role'),
    email: text,
    name: merchant.name,
    /** The phone number of a cashier who signs in with a PIN. Null for everybody else. */
    mobile: nullable(text),
    since: membership.createdAt,
    /** When the member last opened a dashboard page, of any merchant. Null for never. */
    lastSeenAt: nullable(session.lastSeenAt),
    secondFactor: boolean,
    /** Whether the member has proven access to the mailbox, or the operator confirmed the address. */
    emailConfirmed: boolean,
  },
});

export type ListedMember = Awaited<ReturnType<typeof LIST_MEMBERS.rows>>[number];

export async function listMembers(db: Queryable, merchantId: string): Promise<ListedMember[]> {
  return LIST_MEMBERS.rows(db, { merchantId });
}
