import { newId } from '@/lib/core/ids';
import { callOnce } from '@/lib/outbound/call-once';
import type { CallTrace } from '@/lib/outbound/stopwatch';
import type { Runtime } from '@/lib/runtime/runtime';
import { insertAttempts } from '@/lib/webhooks/attempt-store';
import type { Endpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { type Failure, failureOf } from '@/lib/webhooks/failure-rules';
import { excerptOf } from '@/lib/webhooks/log/delivery-view';
import { receiverRules } from '@/lib/webhooks/rules';
import { attemptRow } from './attempt-rules';
import { DELIVERY_TIMEOUT_MS, WEBHOOK_HEADERS } from './deliver-webhook';

/** What a page or a command shows of an answer, bytes. */
const EXCERPT_BYTES = 600;

/** One call that announces no event. */
interface Call {
  readonly trigger: 'test' | 'check';
  /** By whom. */
  readonly actor: string;
  readonly url: string;
  /** The webhook-id, also in the log where the header is left out. */
  readonly messageId: string;
  /** Which of the calls under this webhook-id it is, from 1. */
  readonly number: number;
  /** Those that sign; a body in pieces needs its `content-length` too. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The body in pieces, where it is to come so. */
  readonly pieces?: AsyncIterable<Uint8Array>;
}

/** What came of a call. */
export interface CallReport {
  readonly url: string;
  readonly messageId: string;
  readonly startedAt: Date;
  /** Null when no answer came. */
  readonly status: number | null;
  /** Why it counts as not delivered; null when it was acknowledged. */
  readonly failure: Failure | null;
  readonly trace: CallTrace;
  /** The beginning of the answer's body. It is the receiver's: nothing in it may be trusted. */
  readonly excerpt: string;
}

/** Calls an endpoint's address at once, beside every schedule, and logs what came of it. What is known of its health stays as it is: the caller may note it. */
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
