import { reach } from '@/lib/config/fail-point';
import { addMs } from '@/lib/core/clock';
import { callOnce, type OutboundAnswer } from '@/lib/outbound/call-once';
import type { KeptConnections } from '@/lib/outbound/kept-connections';
import { type NameServers, systemNameServers } from '@/lib/outbound/resolve-name';
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
  /** By default, the name servers of the system. */
  readonly nameServers?: NameServers;
}

/** Sends one claimed delivery and records the receiver's answer. No database transaction is open during the call. */
export async function deliverWebhook(
  runtime: Runtime,
  delivery: ClaimedDelivery,
  { settle = (sent) => settleDeliveries(runtime, [sent]), signal, connections, nameServers = systemNameServers }: DeliveryOptions = {},
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
    vet: { rules: receiverRules(runtime.settings, delivery.environment), resolve: nameServers.resolve },
    ...(connections ? { keepAlive: { connections, endpoint: delivery.endpointId } } : {}),
  });
  reach('delivery.sent');
  if (signal?.aborted && answer.status === null) return;
  const problem = failedAtName(answer) ? nameServers.problem() : null;
  if (problem !== null) {
    // This is not the receiver's failure. Nothing is recorded, and the delivery is sent again after its lease has ended.
    runtime.log.warn(
      { deliveryId: delivery.id, billId: delivery.billId, merchantId: delivery.merchantId, problem },
      'webhook delivery waits',
    );
    return;
  }
  await settle({ delivery, answer, headers, startedAt, endedAt: clock() });
  reach('delivery.recorded');
}

/** Returns whether a call has failed because no name server gave an answer about the host's name. */
function failedAtName({ status, error }: OutboundAnswer): boolean {
  return (
    status === null &&
    (error?.kind === 'name_not_found' || (error?.kind === 'timeout' && error.data.stage === 'name') || error?.kind === 'refused')
  );
}

/** Returns the end of the lease of a delivery that is claimed now. */
export function deliveryLease(now: Date): Date {
  return addMs(now, DELIVERY_LEASE_MS);
}
