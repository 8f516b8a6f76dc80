import { addMs, DAY_MS } from '@/lib/core/clock';
import type { Queryable } from '@/lib/db/database';

/** `email` is sent to the address that somebody wants to have. */
export type LinkKind = 'reset' | 'sign_up' | 'email';

interface NewLink {
  readonly id: string;
  readonly kind: LinkKind;
  readonly tokenHash: Uint8Array;
  readonly email: string;
  readonly userId: string | null;
  /** Whether it goes to the address and to nobody else. */
  readonly mailed: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertLink(on: Queryable, link: NewLink): Promise<void> {
  await on.query(
    {
      text: `INSERT INTO account_link (id, kind, token_hash, email, user_id, created_at, expires_at, mailed)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    },
    [link.id, link.kind, link.tokenHash, link.email, link.userId, link.createdAt, link.expiresAt, link.mailed],
  );
}

/** Whose link it is. */
export interface OpenLink {
  readonly email: string;
  readonly userId: string | null;
  /** Whether whoever has it has the mailbox. */
  readonly mailed: boolean;
}

/** @returns whose link it is, or null when it does not work: unknown, used or run out. */
export async function findLink(on: Queryable, kind: LinkKind, tokenHash: Uint8Array, now: Date): Promise<OpenLink | null> {
  const [row] = await on.query<OpenLink>(
    {
      text: `SELECT email, user_id AS "userId", mailed FROM account_link
             WHERE token_hash = $1 AND kind = $2 AND used_at IS NULL AND expires_at > $3`,
    },
    [tokenHash, kind, now],
  );
  return row ?? null;
}

/**
 * Uses up a link: of two at once only one gets it. One to sign up with takes the address's others with it; those of a person,
 * `endLinksOf` ends. @returns whether it did.
 */
export async function spendLink(on: Queryable, kind: LinkKind, tokenHash: Uint8Array, now: Date): Promise<boolean> {
  const [spent] = await on.query<Pick<OpenLink, 'email' | 'userId'>>(
    {
      text: `UPDATE account_link SET used_at = $3
             WHERE token_hash = $1 AND kind = $2 AND used_at IS NULL AND expires_at > $3 RETURNING email, user_id AS "userId"`,
    },
    [tokenHash, kind, now],
  );
  if (!spent) return false;
  if (spent.userId === null) {
    const text = 'UPDATE account_link SET used_at = $3 WHERE email = $1 AND kind = $2 AND used_at IS NULL';
    await on.query({ text }, [spent.email, kind, now]);
  }
  return true;
}

/** Uses up every link that was sent for a person, of one kind or, with null, of all: none of them changes anything any more. */
export async function endLinksOf(on: Queryable, userId: string, kind: LinkKind | null, now: Date): Promise<void> {
  await on.query(
    {
      text: 'UPDATE account_link SET used_at = $3 WHERE user_id = $1 AND ($2::account_link_kind IS NULL OR kind = $2) AND used_at IS NULL',
    },
    [userId, kind, now],
  );
}

/** Forgets links that have run out a while ago. @returns how many. */
export async function deleteOldLinks(on: Queryable, now: Date): Promise<number> {
  const rows = await on.query(
    {
      text: 'DELETE FROM account_link WHERE id = ANY (ARRAY(SELECT id FROM account_link WHERE expires_at <= $1 LIMIT 1000)) RETURNING 1 AS gone',
    },
    [addMs(now, -DAY_MS)],
  );
  return rows.length;
}
