import { isStopped } from '@/lib/webhooks/endpoint/hold-rules';
import type { AttemptView, DeliveryView } from '@/lib/webhooks/log/delivery-view';
import { describeFailure } from '@/lib/webhooks/log/describe-failure';
import type { ShownDelivery } from '@/lib/webhooks/log/show-delivery';
import type { RedeliveryProgress } from '@/lib/webhooks/redeliver/show-redelivery';
import type { StartedRedelivery } from '@/lib/webhooks/redeliver/start-redelivery';
import { at, describeHold, type EndpointName } from './webhook-view';

export function describeDelivery(delivery: DeliveryView): string {
  const { id, state, billStatus, reference, attemptCount, createdAt } = delivery;
  return `${id}  ${state}  ${billStatus}  ${JSON.stringify(reference)}  ${at(createdAt)}  ${attempts(attemptCount)}${describeNext(delivery)}`;
}

function describeNext({ state, dueAt, hold, nextTry }: DeliveryView): string {
  if (isStopped(hold)) return ', waits until the endpoint is resumed';
  return state === 'PENDING' && dueAt ? `, next at ${at(nextTry ?? dueAt)}` : '';
}

/** Returns a line with the command that resumes the endpoint. Returns no line if no delivery waits until the endpoint is resumed. */
export function describeStop(deliveries: readonly DeliveryView[], endpoint: EndpointName): string[] {
  const stopped = deliveries.find(({ hold }) => isStopped(hold));
  return stopped ? [describeHold(stopped.hold, endpoint)] : [];
}

export function describeWhole(delivery: ShownDelivery): string[] {
  const { merchantId, environment, billId, ordered, trigger, triggeredBy, redeliveryId, deliveredAt, messageId, body, hold } = delivery;
  return [
    describeDelivery(delivery),
    ...describeStop([delivery], { merchant: merchantId, environment }).map((line) => `  ${line}`),
    `  bill ${billId}${ordered ? '' : ', not in the order of the bill'}`,
    `  ${triggerOf(trigger, triggeredBy)}${redeliveryId ? `, run ${redeliveryId}` : ''}`,
    ...(deliveredAt ? [`  first delivered at ${at(deliveredAt)}`] : []),
    `  webhook-id: ${messageId}`,
    `  body: ${body}`,
    ...delivery.attempts.flatMap((one, index) => describeAttempt(one, index === 0 && isStopped(hold))),
  ];
}

/** @param stopped whether the next delivery attempt waits until the endpoint is resumed. */
function describeAttempt(one: AttemptView, stopped: boolean): string[] {
  const { number, startedAt, url, address, httpStatus, durationMs, error, errorData, responseHeaders, excerpt, nextAttemptAt } = one;
  const steps = { dns: one.dnsMs, connect: one.connectMs, tls: one.tlsMs, 'first byte': one.firstByteMs, total: durationMs };
  const timings = Object.entries(steps).flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms} ms`]));
  return [
    `${number}. ${at(startedAt)}  ${httpStatus === null ? 'no answer' : `answered ${httpStatus}`}  ${triggerOf(one.trigger, one.triggeredBy)}`,
    `  ${url}${address ? ` (${address})` : ''}: ${timings.join(', ')}`,
    ...(error === null ? [] : [`  ${withoutControls(describeFailure('en', error, errorData))}`]),
    ...(errorData.detail ? [`  ${withoutControls(String(errorData.detail))}`] : []),
    ...Object.entries(responseHeaders).map(([name, value]) => `  ${name}: ${withoutControls(value)}`),
    ...(excerpt === '' ? [] : excerpt.split('\n').map((line) => `  | ${line}`)),
    ...(nextAttemptAt ? [stopped ? '  next attempt once the endpoint is resumed' : `  next attempt from ${at(nextAttemptAt)} on`] : []),
  ];
}

/** Formats the progress of a bulk redelivery as one line. */
export function describeRun(run: RedeliveryProgress): string {
  const { id, state, total, started, delivered, waiting, failed, leftOut } = run;
  const outcome = `${delivered} delivered, ${waiting} waiting, ${failed} failed${leftOut > 0 ? `, ${leftOut} cancelled or sent in another way` : ''}`;
  return `${id}  ${state}  ${started} of ${total} sent again: ${outcome}`;
}

/** Describes what a bulk redelivery selects, and who requested it. */
export function describeOrder({ states, from, to, perSecond, requestedBy, createdAt, completedAt }: RedeliveryProgress): string[] {
  return [
    `  ${states.join(', ')} created from ${at(from)} until before ${at(to)}, ${perSecond} a second`,
    `  requested by ${requestedBy} at ${at(createdAt)}${completedAt ? `, ended at ${at(completedAt)}` : ''}`,
  ];
}

/** Formats the number of selected deliveries by state. */
export function describeCounts(counts: StartedRedelivery['counts']): string[] {
  return counts.map(({ state, count, first, last }) => `${state}: ${count}, created from ${at(first)} to ${at(last)}`);
}

function attempts(count: number): string {
  return count === 1 ? '1 attempt' : `${count} attempts`;
}

function triggerOf(trigger: string, by: string | null): string {
  return by ? `${trigger}, by ${by}` : trigger;
}

/** Removes control characters, which could control the terminal, from texts that come from outside. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
