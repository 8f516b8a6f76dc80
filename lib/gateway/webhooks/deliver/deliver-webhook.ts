import { lockBills } from '@/lib/gateway/bills/change-bill';
import {
  type AttemptRow,
  type ClaimedDelivery,
  insertAttempts,
  type Move,
  moveDeliveries,
  unblockNext,
} from '@/lib/gateway/webhooks/delivery-store';
import { type Endpoint, type Health, nextHealth, SANDBOX_QUICK_MS } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { findEndpoints, signingSecrets, updateEndpointHealth, updateEndpointStatus } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { warnMerchant } from '@/lib/gateway/webhooks/endpoint/warn-merchant';
import { type ErrorClass, failureOf, loggedHeaders, retryAfter } from '@/lib/gateway/webhooks/failure-rules';
import { returnDeliveries } from '@/lib/gateway/webhooks/redeliver/redeliver-store';
import { lockCancelled } from '@/lib/gateway/webhooks/redeliver/redelivery-store';
import { messageId, nextAttemptTime, receiverRules, SANDBOX_RETRY_MS, signatureHeaders } from '@/lib/gateway/webhooks/rules';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { reach } from '@/lib/platform/config/fail-point';
import { systemActor } from '@/lib/platform/core/actor';
import { addMs } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import type { Queryable } from '@/lib/platform/db/database';
import { recorder, type WebhookResult } from '@/lib/platform/metrics/recorder';
import { callOnce, type OutboundAnswer } from '@/lib/platform/outbound/call-once';
import type { KeptConnections } from '@/lib/platform/outbound/kept-connections';
import { type NameServers, systemNameServers } from '@/lib/platform/outbound/resolve-name';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { findDelayFactors } from '@/lib/providers/scenarios/store';

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

/** A delivery that was sent, with the answer. */
interface SentDelivery {
  readonly delivery: ClaimedDelivery;
  readonly answer: OutboundAnswer;
  /** The signature headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

type Judged = SentDelivery & { readonly verdict: Verdict };
type SettleRuntime = Pick<Runtime, 'db' | 'clock' | 'random' | 'log' | 'settings' | 'secrets'>;

/**
 * Records the answers to deliveries in one transaction: writes the log, changes the states, unblocks the next deliveries of the
 * bills and updates the endpoints' health. To avoid deadlocks, locks the bills first, then the endpoints, each in the order of ids.
 */
export async function settleDeliveries(runtime: SettleRuntime, sent: readonly SentDelivery[]): Promise<void> {
  const judged = sent.map((one) => ({ ...one, verdict: verdictOf(one) }));
  const settled = await runtime.db.sqlTransaction(async (tx) => {
    await lockBills(
      tx,
      judged.map(({ delivery }) => delivery.billId),
    );
    const now = runtime.clock();
    const factors = await factorsOf(tx, judged);
    const endpoints = await noteHealth(runtime, tx, { judged, factors, now });
    const moves = judged.map((one) =>
      moveOf(runtime, one, { endpoint: endpoints.get(one.delivery.endpointId), factor: factors.get(one.delivery.merchantId), now }),
    );
    const rows = judged.map((one, index) => attemptRow(newId(runtime), callOf(one), one.answer, moves[index]?.dueAt ?? null));
    await insertAttempts(tx, rows);
    const moved = await moveDeliveries(tx, moves, now);
    reach('delivery.moved');
    const final = new Set(moves.flatMap(({ id, state }) => (state !== 'PENDING' && moved.has(id) ? [id] : [])));
    const done = judged.flatMap(({ delivery }) => (delivery.ordered && final.has(delivery.id) ? [delivery] : []));
    if (done.length > 0) await unblockNext(tx, done, now);
    await returnCancelled(tx, judged, now);
    return moves.map((move) => ({ state: move.state, ours: moved.has(move.id) }));
  });
  for (const [index, { delivery, answer, verdict, startedAt, endedAt }] of judged.entries()) {
    recorder()?.webhookAttempted(resultClass(answer.status, verdict.errorClass), endedAt.getTime() - startedAt.getTime());
    const { id: deliveryId, billId, merchantId, attemptCount } = delivery;
    const about = {
      deliveryId,
      billId,
      merchantId,
      number: attemptCount + 1,
      status: answer.status,
      error: verdict.errorClass ?? undefined,
    };
    runtime.log.info({ ...about, ...settled[index] }, 'webhook delivery attempted');
  }
}

function callOf({ delivery, headers, startedAt }: Judged) {
  const { id, merchantId, environment, attemptCount, trigger, triggeredBy, url } = delivery;
  return {
    merchantId,
    environment,
    deliveryId: id,
    messageId: messageId(id),
    number: attemptCount + 1,
    trigger,
    triggeredBy,
    url,
    startedAt,
    requestHeaders: headers,
    requestBody: null,
  };
}

function moveOf(
  { random }: Pick<Runtime, 'random'>,
  { delivery, verdict, startedAt }: Judged,
  { endpoint, factor, now }: { readonly endpoint: Endpoint | undefined; readonly factor: number | undefined; readonly now: Date },
): Move {
  const { id, leaseToken } = delivery;
  const { delivered, retryAfter } = verdict;
  const lastSuccessAt = endpoint?.lastSuccessAt ?? null;
  const chance = (random(1)[0] ?? 0) / 255;
  const othersAccepted = lastSuccessAt !== null && lastSuccessAt > delivery.createdAt;
  const young = delivery.environment === 'sandbox' && now.getTime() - delivery.createdAt.getTime() < SANDBOX_QUICK_MS;
  const delayMaxMs = young ? SANDBOX_RETRY_MS : undefined;
  const failures = delivery.failureCount + 1;
  const dueAt = delivered
    ? null
    : nextAttemptTime({
        failures,
        now,
        chance,
        retryAfter,
        othersAccepted,
        delayMaxMs,
        factor: delivery.environment === 'sandbox' ? factor : undefined,
      });
  const state = dueAt ? 'PENDING' : delivered || delivery.delivered ? 'DELIVERED' : 'EXHAUSTED';
  return { id, leaseToken, state, delivered, startedAt, dueAt };
}

/**
 * Returns the factors by which merchants have changed the pauses in their sandboxes, by merchant. Contains only merchants with a failed
 * call, because no pause follows a successful call.
 */
function factorsOf(tx: Queryable, judged: readonly Judged[]): Promise<ReadonlyMap<string, number>> {
  const failed = judged.filter(({ delivery, verdict }) => delivery.environment === 'sandbox' && !verdict.delivered);
  return findDelayFactors(tx, [...new Set(failed.map(({ delivery }) => delivery.merchantId))]);
}

/**
 * Updates the health of the endpoints that were called. Locks only the endpoints that change, because most calls change nothing.
 * @returns all these endpoints by id, as they were before the update.
 */
async function noteHealth(
  runtime: SettleRuntime,
  tx: Queryable,
  { judged, factors, now }: { readonly judged: readonly Judged[]; readonly factors: ReadonlyMap<string, number>; readonly now: Date },
): Promise<Map<string, Endpoint>> {
  const byEndpoint = Map.groupBy(
    judged.toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime()),
    ({ delivery }) => delivery.endpointId,
  );
  // Calls to an earlier address, and calls that started before the endpoint's last change of status, say nothing about its health now.
  const callsTo = ({ id, url, statusSince }: Endpoint) =>
    (byEndpoint.get(id) ?? []).filter(({ delivery, startedAt }) => delivery.url === url && startedAt >= statusSince);
  const learned = (endpoint: Endpoint) => healthAfter(endpoint, callsTo(endpoint), factors);
  const isGone = (endpoint: Endpoint) => endpoint.status !== 'disabled' && callsTo(endpoint).some(({ verdict }) => verdict.gone);
  const called = await findEndpoints(tx, [...byEndpoint.keys()], { lock: false });
  const changing = called.filter((endpoint) => learned(endpoint) !== endpoint || isGone(endpoint));
  if (changing.length > 0) {
    const ids = changing.map(({ id }) => id);
    for (const endpoint of await findEndpoints(tx, ids, { lock: true })) {
      await updateEndpointHealth(tx, endpoint.id, learned(endpoint));
      if (isGone(endpoint)) await disable(runtime, tx, endpoint, now);
    }
  }
  return new Map(called.map((endpoint) => [endpoint.id, endpoint]));
}

function healthAfter(endpoint: Endpoint, calls: readonly Judged[], factors: ReadonlyMap<string, number>): Health {
  const inSandbox = endpoint.environment === 'sandbox';
  const pauseFactor = (inSandbox ? factors.get(endpoint.merchantId) : undefined) ?? 1;
  return calls.reduce<Health>(
    (health, { verdict, startedAt, endedAt }) => nextHealth(health, { ...verdict, startedAt, endedAt, inSandbox, pauseFactor }),
    endpoint,
  );
}

/** Restores the earlier state of failed deliveries whose bulk redelivery was cancelled, so that they are not retried. */
async function returnCancelled(tx: Queryable, judged: readonly Judged[], now: Date): Promise<void> {
  const runs = new Set(judged.flatMap(({ delivery, verdict }) => (verdict.delivered ? [] : (delivery.redeliveryId ?? []))));
  if (runs.size === 0) return;
  for (const id of await lockCancelled(tx, [...runs])) await returnDeliveries(tx, id, { now, limit: judged.length });
}

/** Disables an endpoint that answered 410. Its deliveries are kept until somebody resumes the endpoint. */
async function disable(runtime: SettleRuntime, tx: Queryable, endpoint: Endpoint, now: Date): Promise<void> {
  const { id, merchantId, environment } = endpoint;
  await updateEndpointStatus(tx, id, { status: 'disabled', reason: 'gone', now });
  const entry = { merchantId, environment, actor: systemActor('worker'), action: 'webhook.disabled', subject: id };
  await recordEntry(runtime, { ...entry, data: { reason: 'gone' } }, tx);
  await warnMerchant(runtime, tx, endpoint, { kind: 'gone' });
}

/** What the answer to an attempt means for the delivery and its endpoint. */
interface Verdict {
  readonly delivered: boolean;
  /** The receiver answered 410: it wants no more webhooks. */
  readonly gone: boolean;
  /** The receiver answered 429 or 5xx, or it did not answer: the connection was refused or reset, or the call timed out. */
  readonly overloaded: boolean;
  readonly retryAfter: Date | null;
  readonly errorClass: ErrorClass | null;
}

/** Errors without an answer that fewer parallel calls may prevent. A bad certificate is not one of them. */
const UNREACHED: readonly ErrorClass[] = ['refused', 'timeout', 'reset'];

function verdictOf({ delivery, answer, endedAt }: SentDelivery): Verdict {
  const { status } = answer;
  const failure = failureOf(answer, delivery.url);
  return {
    delivered: failure === null,
    gone: status === 410,
    overloaded: failure !== null && (status === null ? UNREACHED.includes(failure.errorClass) : status === 429 || status >= 500),
    retryAfter: retryAfter(answer, endedAt),
    errorClass: failure?.errorClass ?? null,
  };
}

const STATUS_CLASSES: Readonly<Record<number, WebhookResult>> = { 2: '2xx', 3: '3xx', 4: '4xx', 5: '5xx' };
/** Errors that prevent a connection or interrupt it. */
const CONNECTION_ERRORS: readonly (ErrorClass | null)[] = [
  'refused',
  'name_not_found',
  'reset',
  'cert_expired',
  'cert_not_yet_valid',
  'cert_untrusted',
  'cert_wrong_name',
  'tls',
];

/** Returns the class of an attempt's result for the metrics. */
function resultClass(status: number | null, errorClass: ErrorClass | null): WebhookResult {
  if (status !== null) return STATUS_CLASSES[Math.floor(status / 100)] ?? 'other';
  if (errorClass === 'timeout') return 'timeout';
  return CONNECTION_ERRORS.includes(errorClass) ? 'connection' : 'other';
}

type AttemptCall = Pick<
  AttemptRow,
  | 'merchantId'
  | 'environment'
  | 'deliveryId'
  | 'messageId'
  | 'number'
  | 'trigger'
  | 'triggeredBy'
  | 'url'
  | 'startedAt'
  | 'requestHeaders'
  | 'requestBody'
>;

/** Returns the log row of a delivery attempt. */
export function attemptRow(id: string, call: AttemptCall, answer: OutboundAnswer, nextAttemptAt: Date | null): AttemptRow {
  const { address, dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = answer.trace;
  const failure = failureOf(answer, call.url);
  return {
    id,
    ...call,
    address,
    dnsMs,
    connectMs,
    tlsMs,
    firstByteMs,
    durationMs: totalMs,
    httpStatus: answer.status,
    responseHeaders: loggedHeaders(answer.headers),
    responseBody: answer.body,
    errorClass: failure?.errorClass ?? null,
    errorData: failure?.errorData ?? {},
    nextAttemptAt,
  };
}
