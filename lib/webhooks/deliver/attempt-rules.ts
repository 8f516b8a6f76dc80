import type { WebhookResult } from '@/lib/metrics/recorder';
import type { OutboundAnswer } from '@/lib/outbound/call-once';
import type { AttemptRow } from '@/lib/webhooks/attempt-store';
import type { ClaimedDelivery } from '@/lib/webhooks/claim-store';
import { type ErrorClass, failureOf, loggedHeaders, retryAfter } from '@/lib/webhooks/failure-rules';

/** What the answer to an attempt means for the delivery and its endpoint. */
export interface Verdict {
  readonly delivered: boolean;
  /** The receiver answered 410: it wants no more webhooks. */
  readonly gone: boolean;
  /** The receiver answered 429 or 5xx, or it did not answer: the connection was refused or reset, or the call timed out. */
  readonly overloaded: boolean;
  readonly retryAfter: Date | null;
  readonly errorClass: ErrorClass | null;
}

interface Answered {
  readonly delivery: Pick<ClaimedDelivery, 'url'>;
  readonly answer: OutboundAnswer;
  readonly endedAt: Date;
}

/** Errors without an answer that fewer parallel calls may prevent. A bad certificate is not one of them. */
const UNREACHED: readonly ErrorClass[] = ['refused', 'timeout', 'reset'];

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
export function resultClass(status: number | null, errorClass: ErrorClass | null): WebhookResult {
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
