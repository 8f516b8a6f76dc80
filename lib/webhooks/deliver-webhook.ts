import { lockBill } from '@/lib/bills/change-bill';
import { reach } from '@/lib/config/fail-point';
import type { Runtime } from '@/lib/config/runtime';
import { addMs } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { callOnce } from '@/lib/outbound/call-once';
import { failureOf, loggedHeaders } from './failure-rules';
import { messageId, nextTry, receiverRules, signatureHeaders } from './rules';
import { type ClaimedDelivery, settleDelivery, unblockNext, webhookContext } from './store';

/** One deadline over the name, connecting, sending and reading the answer. */
export const DELIVERY_TIMEOUT_MS = 15_000;
/** Longer than a delivery can take, so that a lease only ends when its worker is gone. */
export const DELIVERY_LEASE_MS = DELIVERY_TIMEOUT_MS + 15_000;

/** Sends one claimed delivery and records what the receiver answered. Nothing is held open in the database meanwhile. */
export async function deliverWebhook(runtime: Runtime, delivery: ClaimedDelivery): Promise<void> {
  reach('delivery.claimed');
  const { clock, secrets, log } = runtime;
  const startedAt = clock();
  const secret = secrets.decrypt(delivery.encryptedSecret, webhookContext(delivery));
  const answer = await callOnce(delivery.url, {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Bili-Webhooks/1',
      ...signatureHeaders(secret, { id: messageId(delivery.id), at: startedAt, body: delivery.body }),
    },
    body: delivery.body,
    timeoutMs: DELIVERY_TIMEOUT_MS,
    vet: { rules: receiverRules(runtime.settings, delivery.environment) },
  });
  reach('delivery.sent');
  const now = clock();
  const tries = delivery.attemptCount + 1;
  const failure = failureOf(answer, delivery.url);
  const next = failure === null ? null : nextTry(tries, now, (runtime.random(1)[0] ?? 0) / 255);
  const state = failure === null ? 'DELIVERED' : next ? 'PENDING' : 'EXHAUSTED';

  const settled = await runtime.db.transaction(async (tx) => {
    await lockBill(tx, delivery.billId);
    const ours = await settleDelivery(
      tx,
      delivery,
      state,
      {
        id: newId(runtime),
        url: delivery.url,
        startedAt,
        durationMs: now.getTime() - startedAt.getTime(),
        httpStatus: answer.status,
        responseHeaders: loggedHeaders(answer.headers),
        responseBody: answer.body,
        errorClass: failure?.errorClass ?? null,
        errorDetail: answer.error?.detail ?? null,
        nextAttemptAt: next,
      },
      now,
    );
    reach('delivery.moved');
    if (ours && state !== 'PENDING') await unblockNext(tx, delivery, now);
    return ours;
  });
  reach('delivery.recorded');
  log.info(
    {
      deliveryId: delivery.id,
      billId: delivery.billId,
      merchantId: delivery.merchantId,
      tries,
      status: answer.status,
      error: failure?.errorClass,
      state,
      settled,
    },
    'webhook delivery attempted',
  );
}

/** @returns when the lease of a delivery claimed now ends. */
export function deliveryLease(now: Date): Date {
  return addMs(now, DELIVERY_LEASE_MS);
}
