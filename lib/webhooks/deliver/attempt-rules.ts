import type { OutboundAnswer } from '@/lib/outbound/call-once';
import type { AttemptRow } from '@/lib/webhooks/attempt-store';
import type { ClaimedDelivery } from '@/lib/webhooks/claim-store';
import { type ErrorClass, failureOf, loggedHeaders, retryAfter } from '@/lib/webhooks/failure-rules';

/** What an answer means for the delivery and its endpoint. */
export interface Verdict {
  readonly delivered: boolean;
  /** 410: the receiver wants no more. */
  readonly gone: boolean;
  /** It was too much for the receiver, or the receiver was not there. */
  readonly overloaded: boolean;
  readonly retryAfter: Date | null;
  readonly errorClass: ErrorClass | null;
}

interface Answered {
  readonly delivery: Pick<ClaimedDelivery, 'url'>;
  readonly answer: OutboundAnswer;
  readonly endedAt: Date;
}

/** Without an answer: what fewer calls at once may help against. A bad certificate stays bad. */
const UNREACHED: readonly ErrorClass[] = ['refused', 'timeout', 'reset'];

/** Judges an answer. Pure. */
export function verdictOf({ delivery, answer, endedAt }: Answered): Verdict {
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

type Call = Pick<
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

/** @returns the log's row of an attempt. Pure. */
export function attemptRow(id: string, call: Call, answer: OutboundAnswer, nextAttemptAt: Date | null): AttemptRow {
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
