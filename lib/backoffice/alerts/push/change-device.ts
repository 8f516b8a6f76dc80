import { receiverRules } from '@/lib/gateway/webhooks/rules';
import { type MerchantAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { newId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { pushSubscription } from '@/lib/platform/db/generated/tables';
import { boolean, int4, neverNull, pick, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { judgeUrl } from '@/lib/platform/outbound/address-rules';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { DEVICES_MAX, readEndpoint } from './push-rules';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;

/** Adds a device of a member, or renews its session. */
const ADD_DEVICE = statement({
  name: 'add a device for notifications',
  text: `INSERT INTO push_subscription (id, merchant_id, environment, user_id, session_id, endpoint, created_at, notified_until, due_at)
         VALUES ($id, $merchantId, $environment, $userId, $sessionId, $endpoint, $now, $now, $now)
         ON CONFLICT (merchant_id, environment, user_id, endpoint) DO UPDATE SET session_id = excluded.session_id, failures = 0
         RETURNING xmax = 0 AS added`,
  parameters: { ...pick(pushSubscription, 'id merchantId environment userId sessionId endpoint'), now: timestamptz },
  columns: { added: neverNull(boolean) },
});

const REMOVE_OLDEST = statement({
  name: 'remove the oldest devices of a member',
  text: `DELETE FROM push_subscription WHERE id IN (
           SELECT id FROM push_subscription WHERE merchant_id = $merchantId AND environment = $environment AND user_id = $userId
           ORDER BY id DESC OFFSET $most::int)`,
  parameters: { ...pick(pushSubscription, 'merchantId environment userId'), most: int4 },
});

/**
 * Adds a device of the member. The device then gets a push when there is a new notification.
 * @param endpoint the address of the device at the browser's push service.
 */
export async function addPushDevice(
  runtime: Needs,
  access: MerchantAccess,
  endpoint: string,
): Promise<Result<null, 'not_allowed' | 'address_wrong'>> {
  if (!may(access, 'bills.view')) return fail('not_allowed');
  const { scope, user, sessionId, actor } = access;
  const url = readEndpoint(endpoint);
  // The rules for webhook addresses apply, because a browser could name any address, and Bili sends requests to it.
  if (!url || judgeUrl(url, receiverRules(runtime.settings, scope.environment)) !== null) return fail('address_wrong');
  const id = newId(runtime);
  await runtime.db.transaction(async (tx) => {
    const of = { ...scope, userId: user.id };
    const device = await ADD_DEVICE.first(tx, { id, ...of, sessionId, endpoint: url.href, now: runtime.clock() });
    await REMOVE_OLDEST.rows(tx, { ...of, most: DEVICES_MAX });
    if (device?.added)
      await recordEntry(runtime, { ...scope, actor, action: 'push.on', subject: user.id, data: { service: url.hostname } }, tx);
  });
  return ok(null);
}

export async function removePushDevice(runtime: Needs, access: MerchantAccess, endpoint: string): Promise<void> {
  const { scope, user, actor } = access;
  const url = readEndpoint(endpoint);
  if (!url) return;
  await runtime.db.transaction(async (tx) => {
    const { count } = await tx.prisma.pushSubscription.deleteMany({ where: { ...scope, userId: user.id, endpoint: url.href } });
    if (count > 0) await recordEntry(runtime, { ...scope, actor, action: 'push.off', subject: user.id, data: {} }, tx);
  });
}
