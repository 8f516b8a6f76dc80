import { addMs, DAY_MS } from '@/lib/core/clock';
import type { Queryable } from '@/lib/db/database';

export type LinkKind = 'reset' | 'sign_up';

export interface NewLink {
  readonly id: string;
  readonly kind: LinkKind;
  readonly tokenHash: Uint8Array;
  readonly email: string;
  readonly userId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertLink(on: Queryable, link: NewLink): Promise<void> {
  await on.query(
    {
      text: `INSERT INTO account_link (id, kind, token_hash, email, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    },
    [link.id, link.kind, link.tokenHash, link.email, link.userId, link.createdAt, link.expiresAt],
  );
}

/** Whose link it is. */
export interface OpenLink {
  readonly email: string;
  readonly userId: string | null;
}

/** @returns whose link it is, or null when it does not work: unknown, used or run out. */
export async function findLink(on: Queryable, kind: LinkKind, tokenHash: Uint8Array, now: Date): Promise<OpenLink | null> {
  const [row] = await on.query<OpenLink>(
    {
      text: `SELECT email, user_id AS "userId" FROM account_link
             WHERE token_hash = $1 AND kind = $2 AND used_at IS NULL AND expires_at > $3`,
    },
    [tokenHash, kind, now],
  );
  return row ?? null;
}

/** Uses up a link, and every other of the same kind that the person has: of two at once only one gets it. @returns whether it did. */
export async function spendLink(on: Queryable, kind: LinkKind, tokenHash: Uint8Array, now: Date): Promise<boolean> {
  const [spent] = await on.query<{ email: string }>(
    {
      text: `UPDATE account_link SET used_at = $3
             WHERE token_hash = $1 AND kind = $2 AND used_at IS NULL AND expires_at > $3 RETURNING email`,
    },
    [tokenHash, kind, now],
  );
  if (!spent) return false;
  await endLinks(on, kind, spent.email, now);
  return true;
}

/** Uses up every link of a kind that a person has. */
export async function endLinks(on: Queryable, kind: LinkKind, email: string, now: Date): Promise<void> {
  await on.query({ text: 'UPDATE account_link SET used_at = $3 WHERE email = $1 AND kind = $2 AND used_at IS NULL' }, [email, kind, now]);
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
