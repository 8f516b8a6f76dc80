import { reach } from '@/lib/config/fail-point';
import { addMs } from '@/lib/core/clock';
import { callOnce } from '@/lib/outbound/call-once';
import type { KeptConnections } from '@/lib/outbound/kept-connections';
import type { Runtime } from '@/lib/runtime/runtime';
import type { ClaimedDelivery } from '@/lib/webhooks/claim-store';
import { signingSecrets } from '@/lib/webhooks/endpoint/endpoint-secrets';
import { messageId, receiverRules, signatureHeaders } from '@/lib/webhooks/rules';
import { type SentDelivery, settleDeliveries } from './settle-deliveries';

/** One deadline for resolving the name, connecting, sending and reading the answer. */
export const DELIVERY_TIMEOUT_MS = 15_000;
/** Headers of every webhook, besides its signature headers. */
export const WEBHOOK_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Bili-Webhooks/1' };
/** A lease lasts longer than a call can take, so that it expires only if its worker has died. */
const DELIVERY_LEASE_MS = DELIVERY_TIMEOUT_MS + 15_000;

interface DeliveryOptions {
  /** Records the answer. The worker passes a function that records several answers in one transaction. */
  readonly settle?: (sent: SentDelivery) => Promise<void>;
  /**
   * Aborts the call when the worker stops. This is not the receiver's failure, so nothing is recorded, and another worker sends the
   * delivery again after the lease has ended.
   */
  readonly signal?: AbortSignal;
  /** Open connections that calls reuse. If missing, each call opens a new connection. */
  readonly connections?: KeptConnections;
}

/** Sends one claimed delivery and records the receiver's answer. No database transaction is open during the call. */
export async function deliverWebhook(
  runtime: Runtime,
  delivery: ClaimedDelivery,
  { settle = (sent) => settleDeliveries(runtime, [sent]), signal, connections }: DeliveryOptions = {},
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
    ...(connections ? { keepAlive: { connections, endpoint: delivery.endpointId } } : {}),
  });
  reach('delivery.sent');
  if (signal?.aborted && answer.status === null) return;
  await settle({ delivery, answer, headers, startedAt, endedAt: clock() });
  reach('delivery.recorded');
}

/** Returns the end of the lease of a delivery that is claimed now. */
export function deliveryLease(now: Date): Date {
  return addMs(now, DELIVERY_LEASE_MS);
}
