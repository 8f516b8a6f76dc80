import { recordEntry } from '@/lib/audit/record-entry';
import { lockBills } from '@/lib/bills/change-bill';
import { reach } from '@/lib/config/fail-point';
import { systemActor } from '@/lib/core/actor';
import { newId } from '@/lib/core/ids';
import type { Queryable } from '@/lib/db/database';
import { recorder } from '@/lib/metrics/recorder';
import type { OutboundAnswer } from '@/lib/outbound/call-once';
import type { Runtime } from '@/lib/runtime/runtime';
import { findDelayFactors } from '@/lib/sandbox/time-store';
import { insertAttempts } from '@/lib/webhooks/attempt-store';
import type { ClaimedDelivery } from '@/lib/webhooks/claim-store';
import { updateEndpointHealth, updateEndpointStatus } from '@/lib/webhooks/endpoint/endpoint-changes';
import { type Endpoint, findEndpoints } from '@/lib/webhooks/endpoint/endpoint-store';
import { type Health, nextHealth, SANDBOX_QUICK_MS } from '@/lib/webhooks/endpoint/health-rules';
import { warnMerchant } from '@/lib/webhooks/endpoint/warn-merchant';
import { returnDeliveries } from '@/lib/webhooks/redeliver/redeliver-store';
import { lockCancelled } from '@/lib/webhooks/redeliver/redelivery-store';
import { messageId, nextAttemptTime, SANDBOX_RETRY_MS } from '@/lib/webhooks/rules';
import { type Move, moveDeliveries, unblockNext } from '@/lib/webhooks/settle-store';
import { attemptRow, resultClass, type Verdict, verdictOf } from './attempt-rules';

/** A delivery that was sent, with the answer. */
export interface SentDelivery {
  readonly delivery: ClaimedDelivery;
  readonly answer: OutboundAnswer;
  /** The signature headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

type Judged = SentDelivery & { readonly verdict: Verdict };
type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log' | 'settings' | 'secrets'>;

/**
 * Records the answers to deliveries in one transaction: writes the log, changes the states, unblocks the next deliveries of the
 * bills and updates the endpoints' health. To avoid deadlocks, locks the bills first, then the endpoints, each in the order of ids.
 */
export async function settleDeliveries(runtime: Needs, sent: readonly SentDelivery[]): Promise<void> {
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
  runtime: Needs,
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
  const found = await findEndpoints(tx, [...byEndpoint.keys()], { lock: false });
  const changing = found.filter((endpoint) => learned(endpoint) !== endpoint || isGone(endpoint));
  if (changing.length > 0) {
    const ids = changing.map(({ id }) => id);
    for (const endpoint of await findEndpoints(tx, ids, { lock: true })) {
      await updateEndpointHealth(tx, endpoint.id, learned(endpoint));
      if (isGone(endpoint)) await disable(runtime, tx, endpoint, now);
    }
  }
  return new Map(found.map((endpoint) => [endpoint.id, endpoint]));
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
async function disable(runtime: Needs, tx: Queryable, endpoint: Endpoint, now: Date): Promise<void> {
  const { id, merchantId, environment } = endpoint;
  await updateEndpointStatus(tx, id, { status: 'disabled', reason: 'gone', now });
  const entry = { merchantId, environment, actor: systemActor('worker'), action: 'webhook.disabled', subject: id };
  await recordEntry(runtime, { ...entry, data: { reason: 'gone' } }, tx);
  await warnMerchant(runtime, tx, endpoint, { kind: 'gone' });
}
