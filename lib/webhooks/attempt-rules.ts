import type { OutboundAnswer } from '@/lib/outbound/call-once';
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
  readonly errorClass: string | null;
  readonly errorData: Readonly<Record<string, string | number>>;
}

const LOGGED_HEADERS = ['content-type', 'location', 'retry-after', 'server', 'date'];

interface Sent {
  readonly delivery: ClaimedDelivery;
  readonly answer: OutboundAnswer;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** Judges an answer. Pure. */
export function verdictOf({ answer }: Sent): Verdict {
  const { status, error } = answer;
  const delivered = status !== null && status >= 200 && status < 300;
  return {
    delivered,
    gone: status === 410,
    overloaded: !delivered && (status === null || status === 429 || status >= 500),
    retryAfter: null,
    errorClass: delivered ? null : errorClass(answer),
    errorData: error ? { detail: error.detail } : {},
  };
}

/** @returns the log's row of an attempt. Pure. */
export function attemptRow(
  id: string,
  { delivery, answer, startedAt, endedAt, verdict }: Sent & { readonly verdict: Verdict },
  nextAttemptAt: Date | null,
): AttemptRow {
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
    address: null,
    dnsMs: null,
    connectMs: null,
    tlsMs: null,
    firstByteMs: null,
    durationMs: endedAt.getTime() - startedAt.getTime(),
    httpStatus: answer.status,
    responseHeaders: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => LOGGED_HEADERS.includes(name))),
    responseBody: answer.body,
    errorClass: verdict.errorClass,
    errorData: verdict.errorData,
    nextAttemptAt,
  };
}

/** @returns the cause in one word; the dashboard says it in a sentence. */
function errorClass({ status, error }: OutboundAnswer): string {
  if (status === null) return error?.kind ?? 'other';
  return status >= 300 && status < 400 ? 'redirect' : 'http_status';
}
