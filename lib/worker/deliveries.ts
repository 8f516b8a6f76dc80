import { KeptConnections } from '@/lib/outbound/kept-connections';
import type { Runtime } from '@/lib/runtime/runtime';
import { type ClaimedDelivery, claimDeliveries } from '@/lib/webhooks/claim-store';
import { deliverWebhook, deliveryLease } from '@/lib/webhooks/deliver/deliver-webhook';
import { settleDeliveries } from '@/lib/webhooks/deliver/settle-deliveries';
import { inBatches } from './batches';
import { claimGap, type Pump, type PumpSettings, startPump } from './pump';

/**
 * Maximum number of calls at once in one worker that are retries or go to failing endpoints. The other slots are reserved for first
 * attempts to healthy endpoints.
 */
const RETRIES_AT_ONCE = 50;

/** Starts the pump that delivers webhooks. */
export function startDeliveries(runtime: Runtime, settings: PumpSettings): Pump {
  const { db, clock } = runtime;
  const settle = inBatches((sent: Parameters<typeof settleDeliveries>[1]) => settleDeliveries(runtime, sent));
  const connections = new KeptConnections();
  let retries = 0;

  const claim = (limit: number) =>
    claimDeliveries(db, { now: clock(), leaseUntil: deliveryLease(clock()), limit, retryLimit: RETRIES_AT_ONCE - retries });

  async function deliver(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    if (!delivery.fresh) retries += 1;
    try {
      await deliverWebhook(runtime, delivery, { settle, signal, connections });
    } finally {
      if (!delivery.fresh) retries -= 1;
    }
  }

  const pump = startPump({ ...settings, gapMs: claimGap, claim, work: deliver });
  return {
    async stop() {
      await pump.stop();
      connections.close();
    },
  };
}
