import { webhookJson } from '@/lib/bills/bill-json';
import { createBill } from '@/lib/bills/create/create-bill';
import type { BillStatus } from '@/lib/bills/rules';
import type { Actor } from '@/lib/core/actor';
import { addMs, HOUR_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import type { NotifyRuntime } from '@/lib/runtime/runtime';
import { callEndpoint } from '@/lib/webhooks/deliver/call-endpoint';
import { signingSecrets } from '@/lib/webhooks/endpoint/endpoint-secrets';
import type { Endpoint } from '@/lib/webhooks/endpoint/endpoint-store';
import { formatSecret, messageId, signatureHeaders } from '@/lib/webhooks/rules';
import type { CheckStep, StepCall } from './check-rules';
import { TEST_AMOUNT, testReference } from './test-bill';

/** The step `slow` sends its body in PIECES pieces. The five pauses between them, of PAUSE_MS milliseconds each, take three seconds. */
const PIECES = 6;
const PAUSE_MS = 600;

interface Check {
  readonly runtime: NotifyRuntime;
  readonly endpoint: Endpoint;
  readonly url: string;
  readonly actor: Actor;
  readonly pause: (ms: number) => Promise<unknown>;
}

interface CheckBill {
  readonly id: string;
  readonly reference: string;
}

interface Webhook {
  readonly billId: string;
  readonly messageId: string;
  readonly body: Buffer;
}

export interface MadeCall extends StepCall {
  readonly step: CheckStep;
  readonly billId: string;
  readonly messageId: string;
  /** The number of the call among those with this webhook-id, from 1. */
  readonly number: number;
}

/** Yields the calls of a check. Each call is made when the consumer asks for it. */
export async function* makeCalls(check: Check): AsyncGenerator<MadeCall> {
  const { runtime, pause } = check;
  const now = runtime.clock;

  const good = webhookAbout(check, await checkBill(check), 'FULLY_PAID');
  yield call(check, 'good', good, signed(check, good));
  yield call(check, 'duplicate', good, signed(check, good), { number: 2 });

  const neverPaid = await checkBill(check);
  const forged = webhookAbout(check, neverPaid, 'FULLY_PAID');
  const anotherSecret = [formatSecret(runtime.random(32))];
  yield call(check, 'bad_signature', forged, signatureHeaders(anotherSecret, { id: forged.messageId, at: now(), body: forged.body }));
  yield call(check, 'unsigned', webhookAbout(check, neverPaid, 'FULLY_PAID'), {});
  const stale = webhookAbout(check, neverPaid, 'FULLY_PAID');
  yield call(check, 'stale', stale, signed(check, stale, addMs(now(), -HOUR_MS)));

  const overtaken = await checkBill(check);
  for (const status of ['FULLY_PAID', 'PARTIALLY_PAID'] as const) {
    const webhook = webhookAbout(check, overtaken, status);
    yield call(check, 'out_of_order', webhook, signed(check, webhook));
  }

  const slow = webhookAbout(check, await checkBill(check), 'FULLY_PAID');
  const headers = { ...signed(check, slow), 'content-length': String(slow.body.length) };
  yield call(check, 'slow', slow, headers, { pieces: inPieces(slow.body, pause) });
}

async function call(
  { runtime, endpoint, url, actor }: Check,
  step: CheckStep,
  { billId, messageId: id, body }: Webhook,
  headers: Readonly<Record<string, string>>,
  other: { readonly number?: number; readonly pieces?: AsyncIterable<Uint8Array> } = {},
): Promise<MadeCall> {
  const request = { trigger: 'check', actor: actor.name, url, messageId: id, number: 1, headers, body, ...other } as const;
  const { status, failure, trace } = await callEndpoint(runtime, endpoint, request);
  return { step, billId, messageId: id, number: request.number, status, failure, durationMs: trace.totalMs };
}

/** Returns the signature headers of a correctly signed webhook. */
function signed({ runtime, endpoint }: Check, { messageId: id, body }: Webhook, at = runtime.clock()): Record<string, string> {
  return signatureHeaders(signingSecrets(runtime, endpoint, runtime.clock()), { id, at, body });
}

function webhookAbout({ runtime }: Check, { id, reference }: CheckBill, status: BillStatus): Webhook {
  const body = Buffer.from(webhookJson({ id, mobile: null, amount: TEST_AMOUNT, status, reference }));
  return { billId: id, messageId: messageId(newId(runtime)), body };
}

async function* inPieces(body: Uint8Array, pause: Check['pause']): AsyncGenerator<Uint8Array> {
  const size = Math.ceil(body.length / PIECES);
  for (let from = 0; from < body.length; from += size) {
    if (from > 0) await pause(PAUSE_MS);
    yield body.subarray(from, from + size);
  }
}

/** Creates a sandbox bill, so that a receiver can read it through the API. It has no mobile number, so nobody gets a prompt. */
async function checkBill({ runtime, endpoint, actor }: Check): Promise<CheckBill> {
  const { merchantId, environment } = endpoint;
  const reference = testReference('CHECK', runtime.random);
  const created = await createBill(runtime, {
    scope: { merchantId, environment },
    bill: { amount: TEST_AMOUNT, reference, mobile: null },
    createdBy: actor.name,
    uniqueReferences: false,
    idempotencyKey: null,
  });
  if (!created.ok) throw new Error(`the bill for a receiver check could not be created: ${created.error.code}`);
  return { id: created.value.bill.id, reference };
}
