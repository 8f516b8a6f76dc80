import { addMs, DAY_MS } from '@/lib/platform/core/clock';
import type { Connection } from '@/lib/platform/db/database';
import type { AccountLink } from '@/lib/platform/db/generated/client';

/** `email` changes the user's e-mail address. This link is sent to the new address. */
export type LinkKind = 'reset' | 'sign_up' | 'email';

export async function insertLink({ prisma }: Connection, link: Omit<AccountLink, 'usedAt'>): Promise<void> {
  await prisma.accountLink.create({ data: link, select: { id: true } });
}

/** A link that still works. */
export type OpenLink = Pick<AccountLink, 'email' | 'userId' | 'mailed'>;

/** Returns a link, or null if it is unknown, used or expired. */
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
 * Uses a link up and returns true, or returns false if the link does not work. Only one of two concurrent calls succeeds. Using a sign-up
 * link up also ends the other sign-up links of its address. Other links of a user still work: the caller ends them with `endLinksOf`.
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

/** Uses up all links of a user: those of one kind, or all of them if `kind` is null. */
export async function endLinksOf({ prisma }: Connection, userId: string, kind: LinkKind | null, now: Date): Promise<void> {
  await prisma.accountLink.updateMany({ where: { userId, ...(kind && { kind }), usedAt: null }, data: { usedAt: now } });
}

/** Deletes links that expired more than a day ago, at most 1,000. Returns how many. */
export async function deleteOldLinks({ prisma }: Connection, now: Date): Promise<number> {
  return (await prisma.accountLink.deleteMany({ where: { expiresAt: { lte: addMs(now, -DAY_MS) } }, limit: 1000 })).count;
}
