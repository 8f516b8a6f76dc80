import type { Role } from '@/lib/accounts/permissions';
import { ROLES } from '@/lib/accounts/permissions';
import type { Scope } from '@/lib/core/scope';
import type { Connection, Queryable } from '@/lib/db/database';
import { boolean, enumType, environment, int4, neverNull, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** A device of a member, leased to one worker. */
export interface DueDevice extends Scope {
  readonly id: string;
  readonly userId: string;
  readonly role: Role;
  readonly endpoint: string;
  readonly notifiedUntil: Date;
  readonly failures: number;
  readonly leaseUntil: Date;
  /** Whether the session in which the device was added was ended, for example by signing out. It is false if the session only expired. */
  readonly signedOut: boolean;
}

interface NewDevice extends Scope {
  readonly id: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly endpoint: string;
  readonly now: Date;
  /** The maximum number of a member's devices. The oldest devices above this number are removed. */
  readonly most: number;
}

const ADD_DEVICE = statement({
  name: 'add a device for notifications',
  text: `INSERT INTO push_subscription (id, merchant_id, environment, user_id, session_id, endpoint, created_at, notified_until, due_at)
         VALUES ($id, $merchantId, $environment, $userId, $sessionId, $endpoint, $now, $now, $now)
         ON CONFLICT (merchant_id, environment, user_id, endpoint) DO UPDATE SET session_id = excluded.session_id, failures = 0
         RETURNING xmax = 0 AS added`,
  parameters: { id: uuid, merchantId: uuid, environment, userId: uuid, sessionId: uuid, endpoint: text, now: timestamptz },
  columns: { added: neverNull(boolean) },
});

const REMOVE_OLDEST = statement({
  name: 'remove the oldest devices of a member',
  text: `DELETE FROM push_subscription WHERE id IN (
           SELECT id FROM push_subscription WHERE merchant_id = $merchantId AND environment = $environment AND user_id = $userId
           ORDER BY id DESC OFFSET $most::int)`,
  parameters: { merchantId: uuid, environment, userId: uuid, most: int4 },
  columns: {},
});

/** Adds a device of a member, or renews its session. Returns whether it is new. */
export async function addDevice(tx: Queryable, { most, ...device }: NewDevice): Promise<boolean> {
  const { merchantId, environment, userId } = device;
  const added = await ADD_DEVICE.first(tx, device);
  await REMOVE_OLDEST.rows(tx, { merchantId, environment, userId, most });
  return added?.added === true;
}

/** Removes a device of a member. Returns false if there is none. */
export async function removeDevice(
  { prisma }: Connection,
  { merchantId, environment }: Scope,
  userId: string,
  endpoint: string,
): Promise<boolean> {
  return (await prisma.pushSubscription.deleteMany({ where: { merchantId, environment, userId, endpoint } })).count > 0;
}

const CLAIM_DEVICES = statement({
  name: 'claim devices for notifications',
  text: `WITH due AS (
           SELECT id FROM push_subscription WHERE due_at <= $now ORDER BY due_at LIMIT $limit::int FOR NO KEY UPDATE SKIP LOCKED)
         UPDATE push_subscription d SET due_at = $leaseUntil FROM due, membership m
         WHERE d.id = due.id AND m.merchant_id = d.merchant_id AND m.user_id = d.user_id
         RETURNING d.id, d.merchant_id AS "merchantId", d.environment, d.user_id AS "userId", m.role, d.endpoint, d.failures,
           d.notified_until AS "notifiedUntil", d.due_at AS "leaseUntil",
           EXISTS (SELECT 1 FROM session s WHERE s.id = d.session_id AND s.revoked_at IS NOT NULL) AS "signedOut"`,
  parameters: { now: timestamptz, leaseUntil: timestamptz, limit: int4 },
  columns: {
    id: uuid,
    merchantId: uuid,
    environment,
    userId: uuid,
    role: enumType('role', ROLES),
    endpoint: text,
    failures: int4,
    notifiedUntil: timestamptz,
    leaseUntil: timestamptz,
    signedOut: boolean,
  },
});

export async function claimDevices(db: Queryable, claim: Parameters<typeof CLAIM_DEVICES.rows>[1]): Promise<DueDevice[]> {
  return CLAIM_DEVICES.rows(db, claim);
}

interface Settled {
  readonly dueAt: Date;
  readonly notifiedUntil?: Date;
  readonly failures: number;
}

/** Stores the result for a claimed device and when it is due again, unless another worker has claimed it since. */
export async function settleDevice({ prisma }: Connection, { id, leaseUntil }: DueDevice, settled: Settled): Promise<void> {
  await prisma.pushSubscription.updateMany({ where: { id, dueAt: leaseUntil }, data: settled });
}

export async function deleteDevice({ prisma }: Connection, { id }: Pick<DueDevice, 'id'>): Promise<void> {
  await prisma.pushSubscription.deleteMany({ where: { id } });
}

/** Returns the users, merchants and environments for which a device was added. @param endpoint the device's address at its push service. */
export async function listDevicePlaces({ prisma }: Connection, endpoint: string) {
  const found = await prisma.pushSubscription.findMany({
    where: { endpoint },
    select: { userId: true, environment: true, membership: { select: { merchant: { select: { slug: true } } } } },
  });
  return found.map(({ userId, environment, membership }) => ({ userId, environment, slug: membership.merchant.slug }));
}
