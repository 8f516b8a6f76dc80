import { type MerchantAccess, may } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import { judgeUrl } from '@/lib/outbound/address-rules';
import type { Runtime } from '@/lib/runtime/runtime';
import { receiverRules } from '@/lib/webhooks/rules';
import { DEVICES_MAX, readEndpoint } from './push-rules';
import { addDevice, removeDevice } from './subscription-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;

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
    const added = await addDevice(tx, {
      id,
      ...scope,
      userId: user.id,
      sessionId,
      endpoint: url.href,
      now: runtime.clock(),
      most: DEVICES_MAX,
    });
    if (added) await recordEntry(runtime, { ...scope, actor, action: 'push.on', subject: user.id, data: { service: url.hostname } }, tx);
  });
  return ok(null);
}

export async function removePushDevice(runtime: Needs, access: MerchantAccess, endpoint: string): Promise<void> {
  const { scope, user, actor } = access;
  const url = readEndpoint(endpoint);
  if (!url) return;
  await runtime.db.transaction(async (tx) => {
    const removed = await removeDevice(tx, scope, user.id, url.href);
    if (removed) await recordEntry(runtime, { ...scope, actor, action: 'push.off', subject: user.id, data: {} }, tx);
  });
}
