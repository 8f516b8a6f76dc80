import { deliverWebhook, deliveryLease } from '@/lib/gateway/webhooks/deliver/deliver-webhook';
import { type ClaimedDelivery, claimDeliveries } from '@/lib/gateway/webhooks/delivery-store';
import { nextAttemptTime, SANDBOX_RETRY_MS } from '@/lib/gateway/webhooks/rules';
import { DAY_MS } from '@/lib/platform/core/clock';
import type { TestRuntime } from '../runtime';

/** Claims deliveries like a worker with `limit` free slots that may use `retryLimit` of them for retries and failing endpoints. */
export async function claimSome(runtime: TestRuntime, limit = 100, retryLimit = limit): Promise<ClaimedDelivery[]> {
  const now = runtime.clock();
  return claimDeliveries(runtime.db, { now, leaseUntil: deliveryLease(now), limit, retryLimit });
}

/** Delivers until nothing is due. Returns the number of calls. */
export async function deliverAll(runtime: TestRuntime): Promise<number> {
  let calls = 0;
  for (let due = await claimSome(runtime); due.length > 0; due = await claimSome(runtime)) {
    await Promise.all(due.map((delivery) => deliverWebhook(runtime, delivery)));
    calls += due.length;
  }
  return calls;
}

/** Returns the longest pause after a failed attempt of a new delivery of the sandbox, in milliseconds. @param failures the failed attempts */
export function retryPause(failures: number): number {
  const failed = { failures, now: new Date(0), chance: 1, retryAfter: null, othersAccepted: true, delayMaxMs: SANDBOX_RETRY_MS };
  return nextAttemptTime(failed)?.getTime() ?? DAY_MS;
}

/** Ends all waiting deliveries, so that one test does not affect the next. */
export async function forgetDeliveries({ db }: TestRuntime): Promise<void> {
  await db.transaction(async (tx) => {
    // The product never makes this change. With this setting, {@link watchDeliveryMoves} does not refuse it.
    await tx.query({ text: "SET LOCAL test.forgets = 'on'" });
    await tx.query({
      text: `UPDATE webhook_delivery SET state = 'EXHAUSTED', due_at = NULL, lease_until = NULL WHERE state IN ('PENDING', 'SENDING', 'BLOCKED')`,
    });
  });
}
