import type { Runtime } from '@/lib/runtime/runtime';
import { type ClaimedDelivery, claimDeliveries } from '@/lib/webhooks/claim-store';
import { deliverWebhook, deliveryLease } from '@/lib/webhooks/deliver/deliver-webhook';
import { settleDeliveries } from '@/lib/webhooks/deliver/settle-deliveries';
import { type Pump, type PumpSettings, startPump } from './pump';
import { together } from './together';

/** How many may be retries, or go to endpoints that fail: the rest is kept for first attempts where all is well. */
const AGAIN_AT_ONCE = 50;
/** A claim costs a few milliseconds of the database: when busy, so many pass before the next. */
const GAP_MS = 10;

/** Starts what delivers webhooks. */
export function startDeliveries(runtime: Runtime, settings: PumpSettings): Pump {
  const { db, clock } = runtime;
  const settle = together((sent: Parameters<typeof settleDeliveries>[1]) => settleDeliveries(runtime, sent));
  let again = 0;

  const claim = (limit: number) =>
    claimDeliveries(db, { now: clock(), leaseUntil: deliveryLease(clock()), limit, retryLimit: AGAIN_AT_ONCE - again });

  async function deliver(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    if (!delivery.fresh) again += 1;
    try {
      await deliverWebhook(runtime, delivery, settle, signal);
    } finally {
      if (!delivery.fresh) again -= 1;
    }
  }

  return startPump({ ...settings, gapMs: GAP_MS, claim, work: deliver });
}
