import { type Access, type AccessRefusal, authorize } from '@/lib/accounts/access/grant-access';
import { recordEntry } from '@/lib/audit/record-entry';
import { isUuid } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { WriteRuntime } from '@/lib/runtime/runtime';
import { updateEndpointHealth } from '@/lib/webhooks/endpoint/endpoint-changes';
import { lockEndpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { probeNow } from '@/lib/webhooks/endpoint/health-rules';
import { currentHold, type Hold } from '@/lib/webhooks/endpoint/hold-rules';
import { findDeliveryState, reopenDelivery } from './redeliver-store';

/** `waits_for_earlier`: an earlier delivery of the bill must arrive first. `being_sent`: a worker is sending this delivery now. */
export type RedeliverRefusal = 'not_found' | 'no_address' | 'waits_for_earlier' | 'being_sent';

/**
 * Sends a delivery again, with the same bytes and the same `webhook-id`. If the delivery waits for a retry, it is sent now. Other
 * deliveries of the bill do not wait for this one. If the endpoint's circuit breaker is open, the delivery becomes the next probe and is
 * due now, because a person who redelivers has probably just fixed the receiver.
 * @returns why the delivery is not sent at once, or null if it is.
 */
export async function redeliverWebhook(
  runtime: WriteRuntime,
  access: Access,
  deliveryId: string,
): Promise<Result<{ readonly hold: Hold | null }, AccessRefusal | RedeliverRefusal>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  if (!isUuid(deliveryId)) return fail('not_found');
  return runtime.db.transaction(async (tx) => {
    const now = runtime.clock();
    // The endpoint is locked before the delivery, as in `settleDeliveries`, to avoid deadlocks.
    const endpoint = await lockEndpoint(tx, scope);
    const hasAddress = endpoint.url !== null;
    const asProbe = endpoint.breakerStep > 0;
    if (!hasAddress || !(await reopenDelivery(tx, { scope, deliveryId, actor: actor.name, now, asProbe }))) {
      const state = await findDeliveryState(tx, scope, deliveryId);
      if (!state) return fail('not_found');
      if (!hasAddress) return fail('no_address');
      return fail(state === 'BLOCKED' ? 'waits_for_earlier' : 'being_sent');
    }
    const probed = probeNow(endpoint, now);
    if (probed !== endpoint) await updateEndpointHealth(tx, endpoint.id, probed);
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.redelivered', subject: deliveryId }, tx);
    const hold = currentHold(probed, now);
    return ok({ hold: hold?.kind === 'breaker' ? null : hold });
  });
}
