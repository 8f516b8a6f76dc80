import { reach } from '@/lib/config/fail-point';
import { addMs } from '@/lib/core/clock';
import { callOnce } from '@/lib/outbound/call-once';
import type { Runtime } from '@/lib/runtime/runtime';
import type { ClaimedDelivery } from '@/lib/webhooks/claim-store';
import { signingSecrets } from '@/lib/webhooks/endpoint/endpoint-secrets';
import { messageId, receiverRules, signatureHeaders } from '@/lib/webhooks/rules';
import { type SentDelivery, settleDeliveries } from './settle-deliveries';

/** One deadline over the name, connecting, sending and reading the answer. */
export const DELIVERY_TIMEOUT_MS = 15_000;
/** What every webhook carries beside its signature. */
export const WEBHOOK_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Bili-Webhooks/1' };
/** Longer than a delivery can take, so that a lease only ends when its worker is gone. */
const DELIVERY_LEASE_MS = DELIVERY_TIMEOUT_MS + 15_000;

/**
 * Sends one claimed delivery and records what the receiver answered. Nothing is held open in the database meanwhile.
 * @param settle records it; a worker does so for several at once. @param signal ends the call when the worker stops: that is no
 *   failure of the receiver's, so nothing is recorded, and another worker sends it again when the lease has run out.
 */
export async function deliverWebhook(
  runtime: Runtime,
  delivery: ClaimedDelivery,
  settle: (sent: SentDelivery) => Promise<void> = (sent) => settleDeliveries(runtime, [sent]),
  signal?: AbortSignal,
): Promise<void> {
  reach('delivery.claimed');
  const { clock } = runtime;
  const startedAt = clock();
  const id = messageId(delivery.id);
  const headers = signatureHeaders(signingSecrets(runtime, delivery, startedAt), { id, at: startedAt, body: delivery.body });
  const answer = await callOnce(delivery.url, {
    headers: { ...WEBHOOK_HEADERS, ...headers },
    body: delivery.body,
    timeoutMs: DELIVERY_TIMEOUT_MS,
    ...(signal ? { signal } : {}),
    vet: { rules: receiverRules(runtime.settings, delivery.environment) },
  });
  reach('delivery.sent');
  if (signal?.aborted && answer.status === null) return;
  await settle({ delivery, answer, headers, startedAt, endedAt: clock() });
  reach('delivery.recorded');
}

/** @returns when the lease of a delivery claimed now ends. */
export function deliveryLease(now: Date): Date {
  return addMs(now, DELIVERY_LEASE_MS);
}
