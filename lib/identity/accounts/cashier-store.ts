import type { Connection, Queryable } from '@/lib/platform/db/database';
import type { CashierDevice } from '@/lib/platform/db/generated/client';
import { cashierDevice, invitation } from '@/lib/platform/db/generated/tables';
import { neverNull, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { CASHIER_LINK_MS } from './cashier-rules';

/** A device whose cashier still belongs to the merchant's team. */
export interface KnownDevice {
  readonly id: string;
  readonly secretHash: Uint8Array;
  readonly wrongPins: number;
  readonly user: { readonly id: string; readonly email: string; readonly name: string; readonly mobile: string | null };
  readonly merchant: { readonly id: string; readonly name: string };
}

/** Finds devices by the ids in the browser's cookies. Returns those that are not revoked and whose cashier is still a member. */
export async function findDevices({ prisma }: Connection, ids: readonly string[]): Promise<KnownDevice[]> {
  const found = await prisma.cashierDevice.findMany({
    where: { id: { in: [...ids] }, revokedAt: null },
    select: {
      id: true,
      secretHash: true,
      wrongPins: true,
      user: { select: { id: true, email: true, name: true, mobile: true, memberships: { select: { merchantId: true } } } },
      merchant: { select: { id: true, name: true } },
    },
    orderBy: { lastUsedAt: 'desc' },
  });
  return found.flatMap(({ user: { memberships, ...user }, ...device }) =>
    memberships.some(({ merchantId }) => merchantId === device.merchant.id) ? [{ ...device, user }] : [],
  );
}

/** Returns the user id of a cashier in a merchant's team by the login name; null if nobody in the team has it. */
export async function findCashier({ prisma }: Connection, merchantId: string, login: string): Promise<string | null> {
  const where = { email: login, mobile: { not: null }, memberships: { some: { merchantId } } };
  return (await prisma.user.findFirst({ where, select: { id: true } }))?.id ?? null;
}

export type ListedDevice = Pick<CashierDevice, 'id' | 'userId' | 'userAgent' | 'wrongPins' | 'createdAt' | 'lastUsedAt'>;

/** Returns the devices of a merchant's cashiers that are not revoked, the most recently used first. */
export async function listDevices({ prisma }: Connection, merchantId: string): Promise<ListedDevice[]> {
  return prisma.cashierDevice.findMany({
    where: { merchantId, revokedAt: null },
    select: { id: true, userId: true, userAgent: true, wrongPins: true, createdAt: true, lastUsedAt: true },
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'desc' }],
  });
}

/**
 * Revokes one device of a merchant's cashier, or all of the cashier's devices if `id` is null. Ends their sessions. Returns how many were
 * revoked.
 */
export async function revokeDevices(
  { prisma }: Connection,
  { merchantId, userId, id, now }: { readonly merchantId: string; readonly userId: string; readonly id: string | null; readonly now: Date },
): Promise<number> {
  const devices = { merchantId, userId, ...(id !== null && { id }) };
  const { count } = await prisma.cashierDevice.updateMany({ where: { ...devices, revokedAt: null }, data: { revokedAt: now } });
  await prisma.session.updateMany({ where: { revokedAt: null, device: devices }, data: { revokedAt: now } });
  return count;
}

/**
 * SQL of the links that were made for cashiers who had a phone already. `at` is when the newest link of an invitation was made.
 * Such a link lets somebody else act under the cashier's name, so the cashier and the managers are told about it.
 */
export const CASHIER_LINKS = `SELECT i.id, i.merchant_id, i.invited_by, u.id AS user_id, u.name, i.expires_at - interval '${CASHIER_LINK_MS} milliseconds' AS at
  FROM invitation i JOIN "user" u ON u.email = i.email
  WHERE i.mobile IS NOT NULL AND EXISTS (
    SELECT 1 FROM cashier_device d WHERE d.user_id = u.id AND d.merchant_id = i.merchant_id AND d.created_at < i.expires_at - interval '${CASHIER_LINK_MS} milliseconds')`;

const NEWEST_LINK = statement({
  name: 'find the newest link of a cashier',
  text: `SELECT l.invited_by AS "by", l.at FROM (${CASHIER_LINKS}) l
         WHERE l.merchant_id = $merchantId AND l.user_id = $userId AND l.at >= $since ORDER BY l.at DESC LIMIT 1`,
  parameters: { merchantId: invitation.merchantId, userId: cashierDevice.userId, since: timestamptz },
  columns: { by: text, at: neverNull(timestamptz) },
});

/** A link by which somebody can join in a cashier's place. */
export interface CashierLink {
  /** Who made the link, in the actor format of the audit log. */
  readonly by: string;
  readonly at: Date;
}

/** Returns the newest link that was made for a cashier since an instant, after the cashier had joined; null if there is none. */
export async function findNewestLink(
  on: Queryable,
  cashier: { readonly merchantId: string; readonly userId: string; readonly since: Date },
): Promise<CashierLink | null> {
  return (await NEWEST_LINK.first(on, cashier)) ?? null;
}
