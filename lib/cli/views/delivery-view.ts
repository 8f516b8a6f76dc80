import { isStopped } from '@/lib/webhooks/endpoint/hold-rules';
import type { AttemptView, DeliveryView } from '@/lib/webhooks/log/delivery-view';
import { describeFailure } from '@/lib/webhooks/log/describe-failure';
import type { ShownDelivery } from '@/lib/webhooks/log/show-delivery';
import type { RedeliveryProgress } from '@/lib/webhooks/redeliver/show-redelivery';
import type { StartedRedelivery } from '@/lib/webhooks/redeliver/start-redelivery';
import { at, describeHold, type EndpointName } from './webhook-view';

/** @returns a delivery in one line. */
export function describeDelivery(delivery: DeliveryView): string {
  const { id, state, billStatus, reference, attemptCount, createdAt } = delivery;
  return `${id}  ${state}  ${billStatus}  ${JSON.stringify(reference)}  ${at(createdAt)}  ${tries(attemptCount)}${nextOf(delivery)}`;
}

function nextOf({ state, dueAt, heldUp, nextTry }: DeliveryView): string {
  if (isStopped(heldUp)) return ', waits until the endpoint is resumed';
  return state === 'PENDING' && dueAt ? `, next at ${at(nextTry ?? dueAt)}` : '';
}

/** @returns why deliveries wait for a person, and for which command; nothing if none of them does. */
export function describeStop(deliveries: readonly DeliveryView[], endpoint: EndpointName): string[] {
  const stopped = deliveries.find(({ heldUp }) => isStopped(heldUp));
  return stopped ? [describeHold(stopped.heldUp, endpoint)] : [];
}

/** @returns a delivery, what is sent, and its whole log. */
export function describeWhole(delivery: ShownDelivery): string[] {
  const { merchantId, environment, billId, ordered, trigger, triggeredBy, redeliveryId, deliveredAt, messageId, body, heldUp } = delivery;
  return [
    describeDelivery(delivery),
    ...describeStop([delivery], { merchant: merchantId, environment }).map((line) => `  ${line}`),
    `  bill ${billId}${ordered ? '' : ', outside of its order'}`,
    `  ${why(trigger, triggeredBy)}${redeliveryId ? `, run ${redeliveryId}` : ''}`,
    ...(deliveredAt ? [`  first delivered at ${at(deliveredAt)}`] : []),
    `  webhook-id: ${messageId}`,
    `  body: ${body}`,
    ...delivery.tries.flatMap((one, index) => describeTry(one, index === 0 && isStopped(heldUp))),
  ];
}

/** @param stopped whether the next try after this one waits for a person. */
function describeTry(one: AttemptView, stopped: boolean): string[] {
  const { number, startedAt, url, address, httpStatus, durationMs, error, errorData, responseHeaders, excerpt, nextAttemptAt } = one;
  const steps = { dns: one.dnsMs, connect: one.connectMs, tls: one.tlsMs, 'first byte': one.firstByteMs, total: durationMs };
  const timings = Object.entries(steps).flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms} ms`]));
  return [
    `${number}. ${at(startedAt)}  ${httpStatus === null ? 'no answer' : `answered ${httpStatus}`}  ${why(one.trigger, one.triggeredBy)}`,
    `  ${url}${address ? ` (${address})` : ''}: ${timings.join(', ')}`,
    ...(error === null ? [] : [`  ${plain(describeFailure('en', error, errorData))}`]),
    ...(errorData.detail ? [`  ${plain(String(errorData.detail))}`] : []),
    ...Object.entries(responseHeaders).map(([name, value]) => `  ${name}: ${plain(value)}`),
    ...(excerpt === '' ? [] : excerpt.split('\n').map((line) => `  | ${line}`)),
    ...(nextAttemptAt ? [stopped ? '  tried again once the endpoint is resumed' : `  tried again from ${at(nextAttemptAt)} on`] : []),
  ];
}

/** @returns how far a run has come, in one line. */
export function describeRun(run: RedeliveryProgress): string {
  const { id, state, total, started, delivered, waiting, failed, leftOut } = run;
  const outcome = `${delivered} delivered, ${waiting} waiting, ${failed} failed${leftOut > 0 ? `, ${leftOut} taken back or sent otherwise` : ''}`;
  return `${id}  ${state}  ${started} of ${total} sent again: ${outcome}`;
}

/** @returns what a run was asked to do. */
export function describeOrder({ states, from, to, perSecond, requestedBy, createdAt, completedAt }: RedeliveryProgress): string[] {
  return [
    `  ${states.join(', ')} created from ${at(from)} until before ${at(to)}, ${perSecond} a second`,
    `  asked for by ${requestedBy} at ${at(createdAt)}${completedAt ? `, ended at ${at(completedAt)}` : ''}`,
  ];
}

/** @returns how many deliveries a selection has, by state. */
export function describeCounts(counts: StartedRedelivery['counts']): string[] {
  return counts.map(({ state, count, first, last }) => `${state}: ${count}, created from ${at(first)} to ${at(last)}`);
}

function tries(count: number): string {
  return count === 1 ? '1 try' : `${count} tries`;
}

function why(trigger: string, by: string | null): string {
  return by ? `${trigger}, by ${by}` : trigger;
}

/** What others have written cannot steer the terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
