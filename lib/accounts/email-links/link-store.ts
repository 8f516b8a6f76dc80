import { addMs, DAY_MS } from '@/lib/core/clock';
import type { Connection, Queryable } from '@/lib/db/database';
import { int4, timestamptz } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** `email` is sent to the address that somebody wants to have. */
export type LinkKind = 'reset' | 'sign_up' | 'email';

interface NewLink {
  readonly id: string;
  readonly kind: LinkKind;
  readonly tokenHash: Uint8Array<ArrayBuffer>;
  readonly email: string;
  readonly userId: string | null;
  /** Whether it goes to the address and to nobody else. */
  readonly mailed: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertLink({ prisma }: Connection, link: NewLink): Promise<void> {
  await prisma.accountLink.create({ data: link, select: { id: true } });
}

/** Whose link it is. */
export interface OpenLink {
  readonly email: string;
  readonly userId: string | null;
  /** Whether whoever has it has the mailbox. */
  readonly mailed: boolean;
}

/** @returns whose link it is, or null when it does not work: unknown, used or run out. */
export async function findLink(
  { prisma }: Connection,
  kind: LinkKind,
  tokenHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<OpenLink | null> {
  return prisma.accountLink.findFirst({
    where: { tokenHash, kind, usedAt: null, expiresAt: { gt: now } },
    select: { email: true, userId: true, mailed: true },
  });
}

/**
 * Uses up a link: of two at once only one gets it. One to sign up with takes the address's others with it; those of a person,
 * `endLinksOf` ends. @returns whether it did.
 */
export async function spendLink({ prisma }: Connection, kind: LinkKind, tokenHash: Uint8Array<ArrayBuffer>, now: Date): Promise<boolean> {
  const [spent] = await prisma.accountLink.updateManyAndReturn({
    where: { tokenHash, kind, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
    select: { email: true, userId: true },
  });
  if (!spent) return false;
  if (spent.userId === null)
    await prisma.accountLink.updateMany({ where: { email: spent.email, kind, usedAt: null }, data: { usedAt: now } });
  return true;
}

/** Uses up every link that was sent for a person, of one kind or, with null, of all: none of them changes anything any more. */
export async function endLinksOf({ prisma }: Connection, userId: string, kind: LinkKind | null, now: Date): Promise<void> {
  await prisma.accountLink.updateMany({ where: { userId, ...(kind && { kind }), usedAt: null }, data: { usedAt: now } });
}

const DELETE_OLD_LINKS = statement({
  name: 'delete old links',
  text: 'DELETE FROM account_link WHERE id = ANY (ARRAY(SELECT id FROM account_link WHERE expires_at <= $before LIMIT 1000)) RETURNING 1 AS gone',
  parameters: { before: timestamptz },
  columns: { gone: int4 },
});

/** Forgets links that have run out a while ago. @returns how many. */
export async function deleteOldLinks(on: Queryable, now: Date): Promise<number> {
  return (await DELETE_OLD_LINKS.rows(on, { before: addMs(now, -DAY_MS) })).length;
}
