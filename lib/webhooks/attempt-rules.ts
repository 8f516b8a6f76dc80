import type { OutboundAnswer } from '@/lib/outbound/call-once';
import { type ErrorClass, type ErrorData, failureOf, loggedHeaders, retryAfter } from './failure-rules';
import { messageId } from './rules';
import type { AttemptRow } from './settle-store';
import type { ClaimedDelivery } from './store';

/** What an answer means for the delivery and its endpoint. */
export interface Verdict {
  readonly delivered: boolean;
  /** 410: the receiver wants no more. */
  readonly gone: boolean;
  /** It was too much for the receiver, or the receiver was not there. */
  readonly overloaded: boolean;
  readonly retryAfter: Date | null;
  readonly errorClass: ErrorClass | null;
  readonly errorData: ErrorData;
}

interface Sent {
  readonly delivery: ClaimedDelivery;
  readonly answer: OutboundAnswer;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** Without an answer: what fewer calls at once may help against. A bad certificate stays bad. */
const UNREACHED: readonly ErrorClass[] = ['refused', 'timeout', 'reset'];

/** Judges an answer. Pure. */
export function verdictOf({ delivery, answer, endedAt }: Pick<Sent, 'delivery' | 'answer' | 'endedAt'>): Verdict {
  const { status } = answer;
  const failure = failureOf(answer, delivery.url);
  return {
    delivered: failure === null,
    gone: status === 410,
    overloaded: failure !== null && (status === null ? UNREACHED.includes(failure.errorClass) : status === 429 || status >= 500),
    retryAfter: retryAfter(answer, endedAt),
    errorClass: failure?.errorClass ?? null,
    errorData: failure?.errorData ?? {},
  };
}

/** @returns the log's row of an attempt. Pure. */
export function attemptRow(
  id: string,
  { delivery, answer, startedAt, endedAt, verdict }: Sent & { readonly verdict: Verdict },
  nextAttemptAt: Date | null,
): AttemptRow {
  const { address, dnsMs, connectMs, tlsMs, firstByteMs } = answer.trace;
  return {
    id,
    merchantId: delivery.merchantId,
    environment: delivery.environment,
    deliveryId: delivery.id,
    messageId: messageId(delivery.id),
    number: delivery.attemptCount + 1,
    trigger: delivery.trigger,
    triggeredBy: delivery.triggeredBy,
    url: delivery.url,
    startedAt,
    address,
    dnsMs,
    connectMs,
    tlsMs,
    firstByteMs,
    durationMs: endedAt.getTime() - startedAt.getTime(),
    httpStatus: answer.status,
    responseHeaders: loggedHeaders(answer.headers),
    responseBody: answer.body,
    errorClass: verdict.errorClass,
    errorData: verdict.errorData,
    nextAttemptAt,
  };
}
