import type { Role } from '@/lib/accounts/permissions';
import { lowestId } from '@/lib/core/ids';
import type { Queryable } from '@/lib/db/database';
import type { InvitationsSent } from './invitation-rules';

export interface ListedInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
}

const LISTED = `i.id::text, i.email, i.role, i.invited_by AS "invitedBy", i.created_at AS "createdAt", i.expires_at AS "expiresAt",
  i.accepted_at AS "acceptedAt", i.revoked_at AS "revokedAt"`;

/** @returns invitations that wait, the run-out ones too, newest first. */
export async function listInvitations(db: Queryable, merchantId: string): Promise<ListedInvitation[]> {
  const text = `SELECT ${LISTED} FROM invitation i WHERE i.merchant_id = $1 AND i.accepted_at IS NULL AND i.revoked_at IS NULL ORDER BY i.id DESC LIMIT 200`;
  return db.query<ListedInvitation>({ text }, [merchantId]);
}

/** An invitation with whose it is. */
export interface FoundInvitation extends ListedInvitation {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly slug: string;
  /** Whether the newest link went to the address and to nobody else. */
  readonly mailed: boolean;
  /** Whether the merchant does business in live. */
  readonly live: boolean;
}

const FOUND = `SELECT ${LISTED}, i.merchant_id AS "merchantId", m.name AS "merchantName", m.slug, i.mailed,
  EXISTS (SELECT 1 FROM merchant_profile p WHERE p.merchant_id = m.id AND p.environment = 'live' AND p.status = 'active') AS live
  FROM invitation i JOIN merchant m ON m.id = i.merchant_id`;

/** For whoever has the link. */
export async function findByToken(db: Queryable, tokenHash: Uint8Array): Promise<FoundInvitation | undefined> {
  const [found] = await db.query<FoundInvitation>({ text: `${FOUND} WHERE i.token_hash = $1` }, [tokenHash]);
  return found;
}

/** As `findByToken`, and holds it until the transaction ends. */
export async function lockByToken(tx: Queryable, tokenHash: Uint8Array): Promise<FoundInvitation | undefined> {
  const [found] = await tx.query<FoundInvitation>({ text: `${FOUND} WHERE i.token_hash = $1 FOR UPDATE OF i` }, [tokenHash]);
  return found;
}

/** @returns one of the merchant's invitations that waits, held until the transaction ends. */
export async function lockInvitation(tx: Queryable, merchantId: string, id: string): Promise<FoundInvitation | undefined> {
  const [found] = await tx.query<FoundInvitation>(
    { text: `${FOUND} WHERE i.merchant_id = $1 AND i.id = $2 AND i.accepted_at IS NULL AND i.revoked_at IS NULL FOR UPDATE OF i` },
    [merchantId, id],
  );
  return found;
}

interface NewInvitation {
  readonly id: string;
  readonly merchantId: string;
  readonly email: string;
  readonly role: Role;
  readonly tokenHash: Uint8Array;
  readonly invitedBy: string;
  readonly mailed: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertInvitation(tx: Queryable, one: NewInvitation): Promise<void> {
  const { id, merchantId, email, role, tokenHash, invitedBy, mailed, createdAt, expiresAt } = one;
  await tx.query(
    {
      text: `INSERT INTO invitation (id, merchant_id, email, role, token_hash, invited_by, created_at, expires_at, mailed)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    },
    [id, merchantId, email, role, tokenHash, invitedBy, createdAt, expiresAt, mailed],
  );
}

/** @returns whether the address has an invitation that waits. */
export async function isInvited(tx: Queryable, merchantId: string, email: string): Promise<boolean> {
  const rows = await tx.query(
    { text: 'SELECT 1 FROM invitation WHERE merchant_id = $1 AND email = $2 AND accepted_at IS NULL AND revoked_at IS NULL' },
    [merchantId, email],
  );
  return rows.length > 0;
}

/** The link that was sent before opens nothing from then on. */
export async function renewInvitation(
  tx: Queryable,
  id: string,
  { tokenHash, expiresAt, mailed }: { readonly tokenHash: Uint8Array; readonly expiresAt: Date; readonly mailed: boolean },
): Promise<void> {
  await tx.query({ text: 'UPDATE invitation SET token_hash = $2, expires_at = $3, mailed = $4 WHERE id = $1' }, [
    id,
    tokenHash,
    expiresAt,
    mailed,
  ]);
}

export async function markInvitationRevoked(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.query({ text: 'UPDATE invitation SET revoked_at = $2 WHERE id = $1' }, [id, now]);
}

/** Takes back every invitation of an address that waits. @returns them. */
export async function revokeInvitationsOf(
  tx: Queryable,
  email: string,
  now: Date,
): Promise<Pick<FoundInvitation, 'id' | 'merchantId' | 'role'>[]> {
  return tx.query(
    {
      text: `UPDATE invitation SET revoked_at = $2 WHERE email = $1 AND accepted_at IS NULL AND revoked_at IS NULL
             RETURNING id::text, merchant_id AS "merchantId", role`,
    },
    [email, now],
  );
}

export async function markInvitationAccepted(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.query({ text: 'UPDATE invitation SET accepted_at = $2 WHERE id = $1' }, [id, now]);
}

/** @returns how many invitations were sent, again too, since an instant, and whether this merchant is active in live. */
export async function countInvitationsSent(
  tx: Queryable,
  merchantId: string,
  since: Date,
): Promise<InvitationsSent & { readonly live: boolean }> {
  const active = (merchant: string) =>
    `EXISTS (SELECT 1 FROM merchant_profile p WHERE p.merchant_id = ${merchant} AND p.environment = 'live' AND p.status = 'active')`;
  // The merchant's own from the audit log, which nobody empties; mails are kept for longer than a day.
  const [row] = await tx.query<InvitationsSent & { live: boolean }>(
    {
      text: `SELECT ${active('$1')} AS live,
               (SELECT count(*)::int FROM audit_entry WHERE merchant_id = $1 AND at > $2 AND id >= $3
                  AND action IN ('invitation.sent', 'invitation.sent_again')) AS own,
               count(m.id)::int AS mailed, (count(m.id) FILTER (WHERE NOT ${active('m.merchant_id')}))::int AS "mailedPending"
             FROM mail m WHERE m.id >= $3 AND m.created_at > $2 AND m.kind = 'invitation'`,
    },
    [merchantId, since, lowestId(since.getTime())],
  );
  return row ?? { own: 0, mailed: 0, mailedPending: 0, live: false };
}

interface NewPerson {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
  /** Null when nothing shows that the person has the mailbox. */
  readonly emailVerifiedAt: Date | null;
}

/** @returns false when somebody has this e-mail address already. */
export async function insertPerson(
  tx: Queryable,
  { id, email, name, passwordHash, createdAt, emailVerifiedAt }: NewPerson,
): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `INSERT INTO "user" (id, email, name, password_hash, created_at, email_verified_at) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (email) DO NOTHING RETURNING 1 AS made`,
    },
    [id, email, name, passwordHash, createdAt, emailVerifiedAt],
  );
  return rows.length > 0;
}
