import { insertAttempts } from '@/lib/gateway/webhooks/delivery-store';
import type { Endpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { type Failure, failureOf } from '@/lib/gateway/webhooks/failure-rules';
import { receiverRules } from '@/lib/gateway/webhooks/rules';
import { newId } from '@/lib/platform/core/ids';
import { callOnce } from '@/lib/platform/outbound/call-once';
import type { CallTrace } from '@/lib/platform/outbound/stopwatch';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { attemptRow, DELIVERY_TIMEOUT_MS, WEBHOOK_HEADERS } from './deliver-webhook';

/** Maximum length of the part of a response body that pages and commands show, in bytes. */
const EXCERPT_BYTES = 600;

/** A test webhook or one call of a receiver check. It belongs to no delivery. */
interface Call {
  readonly trigger: 'test' | 'check';
  readonly actor: string;
  readonly url: string;
  /** The webhook-id for the log. It is needed even if `headers` does not contain it. */
  readonly messageId: string;
  /** The number of the call among those with this webhook-id, from 1. */
  readonly number: number;
  /** The signature headers, and `content-length` if the body is sent in pieces. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The pieces of `body`, for a slow upload. */
  readonly pieces?: AsyncIterable<Uint8Array>;
}

/** The result of a call. */
export interface CallReport {
  readonly url: string;
  readonly messageId: string;
  readonly startedAt: Date;
  /** Null when no answer came. */
  readonly status: number | null;
  /** Why the call failed; null if the receiver acknowledged it. */
  readonly failure: Failure | null;
  readonly trace: CallTrace;
  /** The beginning of the response body. It comes from the receiver and must not be trusted. */
  readonly excerpt: string;
}

/** Calls an endpoint at once, outside of the delivery queue, and logs the attempt. Does not update the endpoint's health. */
export async function callEndpoint(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>,
  { merchantId, environment }: Endpoint,
  { trigger, actor, url, messageId, number, headers, body, pieces }: Call,
): Promise<CallReport> {
  const startedAt = runtime.clock();
  const answer = await callOnce(url, {
    headers: { ...WEBHOOK_HEADERS, ...headers },
    body: pieces ?? body,
    timeoutMs: DELIVERY_TIMEOUT_MS,
    vet: { rules: receiverRules(runtime.settings, environment) },
  });
  const sent = { requestHeaders: headers, requestBody: body };
  const call = { merchantId, environment, deliveryId: null, messageId, number, trigger, triggeredBy: actor, url, startedAt, ...sent };
  await insertAttempts(runtime.db, [attemptRow(newId(runtime), call, answer, null)]);
  const excerpt = excerptOf(answer.body.subarray(0, EXCERPT_BYTES));
  return { url, messageId, startedAt, status: answer.status, failure: failureOf(answer, url), trace: answer.trace, excerpt };
}

/** Returns a part of a response body as text, without control characters except newline and tab. */
export function excerptOf(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes)
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim();
}
