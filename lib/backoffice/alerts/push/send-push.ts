import { readerOf } from '@/lib/backoffice/alerts/alert';
import { receiverRules } from '@/lib/gateway/webhooks/rules';
import type { Role } from '@/lib/identity/accounts/permissions';
import { addMs, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import type { Scope } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import { membership, pushSubscription } from '@/lib/platform/db/generated/tables';
import { boolean, int4, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { callOnce } from '@/lib/platform/outbound/call-once';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { listAlertRows } from '../alert-store';
import { decidePush, nextLook } from './push-rules';
import { pushHeaders } from './vapid';

/** The lease of a worker lasts longer than a call ever takes. */
const LEASE_MS = 2 * MINUTE_MS;
const TIMEOUT_MS = 15 * SECOND_MS;

type Needs = Pick<Runtime, 'db' | 'clock' | 'settings' | 'secrets' | 'log'>;

/** A device of a member, leased to one worker. */
interface DueDevice extends Scope {
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
    ...pick(pushSubscription, 'id merchantId environment userId endpoint failures notifiedUntil'),
    role: membership.role,
    leaseUntil: pushSubscription.dueAt,
    signedOut: boolean,
  },
});

/** Claims devices for which it is time to check for news. Any number of workers may call this. */
export async function claimDueDevices({ db, clock }: Needs, limit: number): Promise<DueDevice[]> {
  const now = clock();
  return CLAIM_DEVICES.rows(db, { now, leaseUntil: addMs(now, LEASE_MS), limit });
}

/**
 * Sends a push to a device if something happened since the last push. The push has no content, so the push service learns nothing. When the
 * browser gets the push, it requests the news from Bili with the member's session. If a push is sent twice after a crash, the browser shows
 * the same news again.
 */
export async function sendPush(runtime: Needs, device: DueDevice, signal: AbortSignal): Promise<void> {
  const { db, clock, settings, log } = runtime;
  if (device.signedOut) return deleteDevice(db, device);
  const now = clock();
  const { endpoint, failures, notifiedUntil, role, userId, environment } = device;
  const since = addMs(notifiedUntil, 1);
  const [newest] = await listAlertRows(db, device, { reader: readerOf(role, userId), topic: null, now, since, before: null, limit: 1 });
  if (!newest) return settleDevice(db, device, { dueAt: nextLook(now), failures });
  const headers = pushHeaders(runtime, { endpoint, now });
  const vet = { rules: receiverRules(settings, environment) };
  const { status, error } = await callOnce(endpoint, { headers, timeoutMs: TIMEOUT_MS, signal, vet });
  const decision = decidePush(status, failures, clock());
  if (decision.kind === 'delivered') return settleDevice(db, device, { dueAt: decision.dueAt, failures: 0, notifiedUntil: newest.at });
  log.info({ service: new URL(endpoint).hostname, status, error: error?.kind, decision: decision.kind }, 'a push was refused');
  if (decision.kind === 'remove') return deleteDevice(db, device);
  await settleDevice(db, device, { dueAt: decision.dueAt, failures: failures + 1 });
}

interface Settled {
  readonly dueAt: Date;
  readonly notifiedUntil?: Date;
  readonly failures: number;
}

/** Stores the result for a claimed device and when it is due again, unless another worker has claimed it since. */
async function settleDevice({ prisma }: Connection, { id, leaseUntil }: DueDevice, settled: Settled): Promise<void> {
  await prisma.pushSubscription.updateMany({ where: { id, dueAt: leaseUntil }, data: settled });
}

async function deleteDevice({ prisma }: Connection, { id }: Pick<DueDevice, 'id'>): Promise<void> {
  await prisma.pushSubscription.deleteMany({ where: { id } });
}
