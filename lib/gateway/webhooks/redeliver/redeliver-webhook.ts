import { currentHold, type Hold, probeNow } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { lockEndpoint, updateEndpointHealth } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { type Access, type AccessRefusal, authorize } from '@/lib/identity/accounts/access/grant-access';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { isUuid } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { WriteRuntime } from '@/lib/platform/runtime/runtime';
import { reopenDelivery } from './redeliver-store';

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
      const { merchantId, environment } = scope;
      const where = { id: deliveryId, merchantId, environment };
      const delivery = await tx.prisma.webhookDelivery.findUnique({ where, select: { state: true } });
      if (!delivery) return fail('not_found');
      if (!hasAddress) return fail('no_address');
      return fail(delivery.state === 'BLOCKED' ? 'waits_for_earlier' : 'being_sent');
    }
    const probed = probeNow(endpoint, now);
    if (probed !== endpoint) await updateEndpointHealth(tx, endpoint.id, probed);
    await recordEntry(runtime, { ...scope, actor, action: 'webhook.redelivered', subject: deliveryId }, tx);
    const hold = currentHold(probed, now);
    return ok({ hold: hold?.kind === 'breaker' ? null : hold });
  });
}
