import { setTimeout as pauseFor } from 'node:timers/promises';
import { webhookJson } from '@/lib/gateway/bills/bill-json';
import { createBill } from '@/lib/gateway/bills/create/create-bill';
import type { BillStatus } from '@/lib/gateway/bills/rules';
import { callEndpoint } from '@/lib/gateway/webhooks/deliver/call-endpoint';
import type { Endpoint } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { lockEndpoint, signingSecrets } from '@/lib/gateway/webhooks/endpoint/endpoint-store';
import { formatSecret, messageId, signatureHeaders } from '@/lib/gateway/webhooks/rules';
import { type Access, type AccessRefusal, authorize } from '@/lib/identity/accounts/access/grant-access';
import { countAttempt } from '@/lib/identity/accounts/sign-in/throttle-store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Actor } from '@/lib/platform/core/actor';
import { addMs, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { NotifyRuntime } from '@/lib/platform/runtime/runtime';
import { type CheckStep, judgeCheck, type StepCall, type StepJudgement, shouldContinue } from './check-rules';
import { CHECK_ENDED, CHECK_STARTED, callLine, isCheckRunning } from './check-store';
import { TEST_AMOUNT, testReference } from './send-test-event';

/** A check that has not ended after this time was interrupted: it makes eight calls of at most 15 s, which take at most two minutes. */
const CHECK_MAX_MS = 3 * MINUTE_MS;

interface Options {
  /** Waits between the pieces of the body that is sent slowly. Tests replace this function. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** Called after each call with the results so far. Steps that have not run yet are `skipped`. */
  readonly onProgress?: (steps: readonly StepJudgement[]) => void;
}

/** Limits the checks of a merchant. Each makes up to eight calls. */
const CHECKS = [{ attempts: 20, seconds: 3_600 }];

export type CheckRefusal = 'only_in_sandbox' | 'no_address' | 'check_running' | 'too_many_tests';

export interface CheckReport {
  readonly url: string;
  readonly steps: readonly StepJudgement[];
  /** The sandbox bills that were created for the check. They stay NOT_PAID, whatever status the webhooks reported. */
  readonly billIds: readonly string[];
}

/**
 * Checks a merchant's receiver: sends correct and faulty webhooks one after another and judges the answers. Works only in the sandbox, also
 * while the endpoint is paused or disabled. Only one check of an endpoint runs at a time. A check takes at most two minutes. If the first
 * webhook, which is correct, gets no answer, the other steps are skipped.
 */
export async function checkReceiver(
  runtime: NotifyRuntime,
  access: Access,
  { pause = pauseFor, onProgress }: Options = {},
): Promise<Result<CheckReport, AccessRefusal | CheckRefusal>> {
  const refusal = authorize(access, 'webhooks.change');
  if (refusal) return fail(refusal);
  const { scope, actor } = access;
  if (scope.environment !== 'sandbox') return fail('only_in_sandbox');
  const counters = access.role === null ? [] : [{ key: `webhook-check/${scope.merchantId}`, windows: CHECKS }];
  if ((await countAttempt(runtime, counters)) !== null) return fail('too_many_tests');
  const begun = await startCheck(runtime, access);
  if (!begun.ok) return begun;
  const { name, url, endpoint } = begun.value;
  const made: MadeCall[] = [];
  try {
    for await (const call of makeCalls({ runtime, endpoint, url, actor, pause })) {
      made.push(call);
      onProgress?.(judgeCheck(made));
      if (!shouldContinue(call)) break;
    }
    return ok({ url, steps: judgeCheck(made), billIds: [...new Set(made.map(({ billId }) => billId))] });
  } finally {
    const judged = judgeCheck(made);
    const outcomeOf = (step: MadeCall['step']) => judged.find((one) => one.step === step)?.outcome ?? 'skipped';
    const calls = made.map((one) => callLine({ ...one, outcome: outcomeOf(one.step) }));
    const data = { check: name, outcomes: judged.map(({ step, code }) => `${step}: ${code}`), calls };
    await recordEntry(runtime, { ...scope, actor, action: CHECK_ENDED, subject: endpoint.id, data });
  }
}

interface StartedCheck {
  readonly name: string;
  readonly url: string;
  readonly endpoint: Endpoint;
}

/** Records the start of a check in the audit log. The lock on the endpoint lets only one of several concurrent checks start. */
async function startCheck(runtime: NotifyRuntime, { scope, actor }: Access): Promise<Result<StartedCheck, CheckRefusal>> {
  return runtime.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, scope);
    const { url } = endpoint;
    if (url === null) return fail('no_address');
    const since = addMs(runtime.clock(), -CHECK_MAX_MS);
    const sinceId = newId({ clock: () => since, random: (bytes) => new Uint8Array(bytes) });
    if (await isCheckRunning(tx, scope, sinceId)) return fail('check_running');
    const name = newId(runtime);
    await recordEntry(runtime, { ...scope, actor, action: CHECK_STARTED, subject: endpoint.id, data: { check: name } }, tx);
    return ok({ name, url, endpoint });
  });
}

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

interface MadeCall extends StepCall {
  readonly step: CheckStep;
  readonly billId: string;
  readonly messageId: string;
  /** The number of the call among those with this webhook-id, from 1. */
  readonly number: number;
}

/** Yields the calls of a check. Each call is made when the consumer asks for it. */
async function* makeCalls(check: Check): AsyncGenerator<MadeCall> {
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
