import { lowestId } from '@/lib/platform/core/ids';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import type { Invitation } from '@/lib/platform/db/generated/client';
import { invitation } from '@/lib/platform/db/generated/tables';
import { boolean, int4, pick, timestamptz, uuid } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { InvitationsSent } from './invitation-rules';

/** The columns of a {@link ListedInvitation}. */
export const LISTED = {
  id: true,
  email: true,
  mobile: true,
  name: true,
  role: true,
  invitedBy: true,
  createdAt: true,
  expiresAt: true,
  acceptedAt: true,
  revokedAt: true,
} as const;

export type ListedInvitation = Pick<Invitation, keyof typeof LISTED>;

const FOUND = {
  ...LISTED,
  merchantId: true,
  mailed: true,
  merchant: {
    select: { name: true, slug: true, profiles: { where: { environment: 'live', status: 'active' }, select: { environment: true } } },
  },
} as const;

export interface FoundInvitation extends Pick<Invitation, keyof typeof LISTED | 'merchantId' | 'mailed'> {
  readonly merchantName: string;
  readonly slug: string;
  readonly live: boolean;
}

async function findInvitation(
  { prisma }: Connection,
  where: { readonly id: string } | { readonly tokenHash: Uint8Array<ArrayBuffer>; readonly mobile: null | { readonly not: null } },
): Promise<FoundInvitation | undefined> {
  const found = await prisma.invitation.findUnique({ where, select: FOUND });
  if (!found) return undefined;
  const { merchant, ...invitation } = found;
  return { ...invitation, merchantName: merchant.name, slug: merchant.slug, live: merchant.profiles.length > 0 };
}

/**
 * Finds the invitation whose link has this token. Finds only invitations to e-mail addresses, not those to the phone numbers of cashiers.
 * Whoever has the link may use it, so no access is needed.
 */
export async function findByToken(db: Connection, tokenHash: Uint8Array<ArrayBuffer>): Promise<FoundInvitation | undefined> {
  return findInvitation(db, { tokenHash, mobile: null });
}

const LOCK_BY_TOKEN = statement({
  name: 'lock an invitation by its token',
  text: 'SELECT id FROM invitation WHERE token_hash = $tokenHash FOR UPDATE',
  parameters: { tokenHash: invitation.tokenHash },
  columns: { id: invitation.id },
});

/** Like `findByToken`, and locks the invitation until the transaction ends. */
export async function lockByToken(tx: Connection, tokenHash: Uint8Array<ArrayBuffer>): Promise<FoundInvitation | undefined> {
  await LOCK_BY_TOKEN.first(tx, { tokenHash });
  return findByToken(tx, tokenHash);
}

/** The invitation of a cashier. */
export interface InvitedPerson extends FoundInvitation {
  readonly mobile: string;
  readonly name: string;
}

/** Finds the invitation of a cashier by its link. The link itself is the permission. */
export async function findCashierByToken(db: Connection, tokenHash: Uint8Array<ArrayBuffer>): Promise<InvitedPerson | undefined> {
  const found = await findInvitation(db, { tokenHash, mobile: { not: null } });
  return found && found.mobile !== null ? { ...found, mobile: found.mobile, name: found.name ?? found.mobile } : undefined;
}

/** Like `findCashierByToken`, and locks the invitation until the transaction ends. */
export async function lockCashierByToken(tx: Connection, tokenHash: Uint8Array<ArrayBuffer>): Promise<InvitedPerson | undefined> {
  await LOCK_BY_TOKEN.first(tx, { tokenHash });
  return findCashierByToken(tx, tokenHash);
}

/** Stores that an invitation was accepted. */
export async function markInvitationAccepted({ prisma }: Connection, id: string, now: Date): Promise<void> {
  await prisma.invitation.updateMany({ where: { id }, data: { acceptedAt: now } });
}

const LOCK_INVITATION = statement({
  name: 'lock an invitation',
  text: 'SELECT id FROM invitation WHERE merchant_id = $merchantId AND id = $id AND accepted_at IS NULL AND revoked_at IS NULL FOR UPDATE',
  parameters: pick(invitation, 'merchantId id'),
  columns: { id: invitation.id },
});

/** Locks one of the merchant's pending invitations until the transaction ends and returns it. */
export async function lockInvitation(tx: Connection, merchantId: string, id: string): Promise<FoundInvitation | undefined> {
  const locked = await LOCK_INVITATION.first(tx, { merchantId, id });
  return locked && findInvitation(tx, locked);
}

export async function insertInvitation(
  { prisma }: Connection,
  data: Omit<Invitation, 'acceptedAt' | 'revokedAt' | 'mobile' | 'name'> & Partial<Pick<Invitation, 'mobile' | 'name'>>,
): Promise<void> {
  await prisma.invitation.create({ data, select: { id: true } });
}

/** Returns an SQL condition: the merchant is active in live. `merchant` is an SQL expression for its id. */
const isActive = (merchant: string) =>
  `EXISTS (SELECT 1 FROM merchant_profile p WHERE p.merchant_id = ${merchant} AND p.environment = 'live' AND p.status = 'active')`;

// The merchant's own invitations are counted in the audit log, whose rows are never deleted. Mailed invitations are counted in the
// table of mails, where each mail stays for longer than 24 hours.
const COUNT_INVITATIONS_SENT = statement({
  name: 'count invitations sent',
  text: `SELECT ${isActive('$merchantId')} AS live,
           (SELECT count(*)::int FROM audit_entry WHERE merchant_id = $merchantId AND at > $since AND id >= $lowestId
              AND action IN ('invitation.sent', 'invitation.sent_again')) AS own,
           count(m.id)::int AS mailed, (count(m.id) FILTER (WHERE NOT ${isActive('m.merchant_id')}))::int AS "mailedPending"
         FROM mail m WHERE m.id >= $lowestId AND m.created_at > $since AND m.kind = 'invitation'`,
  parameters: { merchantId: uuid, since: timestamptz, lowestId: uuid },
  columns: { live: boolean, own: int4, mailed: int4, mailedPending: int4 },
});

/** Returns how many invitations were sent or resent since an instant, and whether this merchant is active in live. */
export async function countInvitationsSent(
  tx: Queryable,
  merchantId: string,
  since: Date,
): Promise<InvitationsSent & { readonly live: boolean }> {
  const sent = await COUNT_INVITATIONS_SENT.first(tx, { merchantId, since, lowestId: lowestId(since.getTime()) });
  return sent ?? { own: 0, mailed: 0, mailedPending: 0, live: false };
}
