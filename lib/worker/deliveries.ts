import { HOUR_MS, SECOND_MS } from '@/lib/core/clock';
import type { Runtime } from '@/lib/runtime/runtime';
import { type ClaimedDelivery, claimDeliveries } from '@/lib/webhooks/claim-store';
import { deliverWebhook, deliveryLease } from '@/lib/webhooks/deliver/deliver-webhook';
import { settleDeliveries } from '@/lib/webhooks/deliver/settle-deliveries';
import { tendEndpoints } from '@/lib/webhooks/endpoint/tend-endpoints';
import { keepLog } from '@/lib/webhooks/log/keep-log';
import { driveRedeliveries } from '@/lib/webhooks/redeliver/drive-redelivery';
import { type Pump, type PumpOptions, startPump } from './pump';
import { together } from './together';

/** Calls at once. A receiver that hangs holds one for 15 seconds. */
const AT_ONCE = 100;
/** How many of them may be retries, or go to endpoints that fail: the rest is kept for first attempts where all is well. */
const AGAIN_AT_ONCE = 50;
/** A claim costs a few milliseconds of the database: when busy, so many pass before the next. */
const GAP_MS = 10;

/** Starts what delivers webhooks and sends them again, and what looks after their endpoints and their log. */
export function startDeliveries(runtime: Runtime, common: Pick<PumpOptions<never>, 'log' | 'idleMs' | 'graceMs'>): Pump[] {
  const { db, clock } = runtime;
  const settle = together((sent: Parameters<typeof settleDeliveries>[1]) => settleDeliveries(runtime, sent));
  let again = 0;

  const claim = (limit: number) =>
    claimDeliveries(db, { now: clock(), leaseUntil: deliveryLease(clock()), limit, againLimit: AGAIN_AT_ONCE - again });

  async function deliver(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    if (!delivery.fresh) again += 1;
    try {
      await deliverWebhook(runtime, delivery, settle, signal);
    } finally {
      if (!delivery.fresh) again -= 1;
    }
  }

  return [
    startPump({ ...common, name: 'deliveries', concurrency: AT_ONCE, gapMs: GAP_MS, claim, work: deliver }),
    startPump({ ...common, ...routine(() => driveRedeliveries(runtime)), name: 'redeliveries' }),
    startPump({ ...common, ...routine(() => tendEndpoints(runtime)), name: 'endpoints', idleMs: SECOND_MS }),
    startPump({ ...common, ...routine(() => keepLog(runtime)), name: 'webhook log', idleMs: HOUR_MS }),
  ];
}

/** Something that is done again and again, with a pause in between. */
function routine(task: () => Promise<void>): Pick<PumpOptions<never>, 'concurrency' | 'claim' | 'work'> {
  return {
    concurrency: 1,
    async claim() {
      await task();
      return [];
    },
    work: async () => undefined,
  };
}
