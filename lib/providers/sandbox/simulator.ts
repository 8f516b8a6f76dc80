import type { IncomingMessage, ServerResponse } from 'node:http';
import { randomBase62 } from '@/lib/core/base62';
import { addMs, SECOND_MS } from '@/lib/core/clock';
import { toNational } from '@/lib/core/mobile';
import { callOnce } from '@/lib/outbound/call-once';
import { readBody, startLoopbackServer } from '@/lib/providers/port/loopback-server';
import { isSuccess } from '@/lib/providers/port/raw-answer';
import type { Runtime } from '@/lib/runtime/runtime';
import { findScenario } from '@/lib/sandbox/scenario-store';
import type { PaymentScenario } from '@/lib/sandbox/scenarios';
import { findDelayFactors } from '@/lib/sandbox/time-store';
import { BEHAVIOURS, BY_PHONE, behaviourOf, type SandboxBehaviour, WALLET_LIMIT_SHILLINGS } from './outcomes';
import { findPhone, insertRing, type RungPhone } from './phone-store';
import { appendReversal, claimSteps, type DueStep, findReport, finishStep, insertPrompt, insertStep } from './store';
import { promptSchema, type SandboxPrompt, type SandboxReport, SIGNATURE_HEADER, signCallback } from './wire';

const CALLBACK_TIMEOUT_MS = 5 * SECOND_MS;
const MAX_CALLBACK_ATTEMPTS = 3;

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log' | 'settings'> & { readonly callbackKey: Uint8Array };

export type Simulator = Awaited<ReturnType<typeof startSimulator>>;

/** Starts the simulated provider as an HTTP server on a free loopback port. It stores its prompts in the database. */
export async function startSimulator(runtime: Needs) {
  const server = await startLoopbackServer(0, (request, response) => {
    answer(runtime, request, response).catch((error: unknown) => {
      runtime.log.error({ err: error }, 'the simulated provider failed');
      response.destroy();
    });
  });
  return {
    ...server,
    /** Sends the callbacks that are due. @returns their number. */
    announceDue: (limit: number) => announceDue(runtime, limit, null),
  };
}

async function answer(runtime: Needs, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, reference, operation] = /^\/v1\/prompts\/([A-Z0-9]{20})(\/reversal)?$/.exec(request.url ?? '') ?? [];
  if (request.method === 'GET' && reference && !operation) return report(runtime, reference, response);
  if (request.method === 'POST' && reference && operation) return reverse(runtime, reference, response);
  if (request.method !== 'POST' || request.url !== '/v1/prompts') return reply(response, 404, { status: 'NO_SUCH_PATH' });
  const prompt = promptSchema.safeParse(JSON.parse((await readBody(request)).toString('utf8')));
  if (!prompt.success) return reply(response, 400, { status: 'INVALID', problem: prompt.error.issues[0]?.message });
  return takePrompt(runtime, prompt.data, response);
}

async function takePrompt(runtime: Needs, prompt: SandboxPrompt, response: ServerResponse): Promise<void> {
  const scenario = await findScenarioOf(runtime, prompt);
  const phone = scenario ? undefined : await findPhoneOf(runtime, prompt);
  const behaviour = scenario ? BEHAVIOURS[scenario] : phone ? BY_PHONE : behaviourOf(prompt.mobile);
  if (behaviour.answer === 'unavailable') return reply(response, 503, { status: 'UNAVAILABLE' });
  if (behaviour.answer === 'not_registered') return reply(response, 422, { status: 'NOT_REGISTERED' });
  if (prompt.amount > WALLET_LIMIT_SHILLINGS) return reply(response, 422, { status: 'LIMIT_EXCEEDED' });
  if (!(await recordPrompt(runtime, prompt, behaviour, phone))) return reply(response, 409, { status: 'DUPLICATE' });
  runtime.log.info({ reference: prompt.reference, mobile: prompt.mobile.slice(-3), amount: prompt.amount }, 'simulated phone prompted');
  if (behaviour.answer === 'lost') {
    response.destroy();
    return;
  }
  if (behaviour.answer === 'after_callback') await announceDue(runtime, 1, prompt.reference);
  reply(response, 202, { status: 'ACCEPTED' });
}

/** Returns the scenario that the merchant chose for the payment requests of this bill; undefined if the merchant chose none. */
async function findScenarioOf({ db }: Needs, { merchantId, billId }: SandboxPrompt): Promise<PaymentScenario | undefined> {
  if (merchantId === undefined || billId === undefined) return undefined;
  return findScenario(db, { merchantId, environment: 'sandbox' }, billId);
}

/** Returns the number with which all delays of this prompt are multiplied. Its merchant can set it; 1 by default. */
async function delayFactorOf({ db }: Needs, { merchantId }: SandboxPrompt): Promise<number> {
  if (merchantId === undefined) return 1;
  return (await findDelayFactors(db, [merchantId])).get(merchantId) ?? 1;
}

/** Returns the test phone that receives a prompt; undefined if no open page shows it. Then the phone number decides what happens. */
async function findPhoneOf({ db, clock }: Needs, { merchantId, mobile, network = 'other' }: SandboxPrompt): Promise<RungPhone | undefined> {
  if (merchantId === undefined) return undefined;
  const number = { merchantId, environment: 'sandbox', mobile: toNational(mobile) } as const;
  const phone = await findPhone(db, number, clock());
  return phone && { ...number, network, missed: !phone.isOn };
}

async function recordPrompt(
  runtime: Needs,
  prompt: SandboxPrompt,
  behaviour: SandboxBehaviour,
  phone: RungPhone | undefined,
): Promise<boolean> {
  const createdAt = runtime.clock();
  const amount = BigInt(behaviour.half ? Math.ceil(prompt.amount / 2) : prompt.amount);
  const receipt = `SBX${randomBase62(runtime.random, 9).toUpperCase()}`;
  const recorded = { ...prompt, amount, receipt, createdAt };
  // If the callback must come before the answer, `takePrompt` sends the callback. The lease hides this callback from the loop that sends
  // all others.
  const leaseUntil = behaviour.answer === 'after_callback' ? addMs(createdAt, 2 * CALLBACK_TIMEOUT_MS) : null;
  // A person answers on a test phone and needs the usual time, so the merchant's delay factor does not apply.
  const factor = phone ? 1 : await delayFactorOf(runtime, prompt);
  return runtime.db.sqlTransaction(async (tx) => {
    if (!(await insertPrompt(tx, recorded))) return false;
    if (phone) await insertRing(tx, { ...phone, reference: prompt.reference, createdAt });
    for (const [number, step] of behaviour.steps.entries()) {
      const dueAt = addMs(createdAt, step.afterMs * runtime.settings.SANDBOX_DELAY_FACTOR * factor);
      await insertStep(tx, recorded.reference, number, { ...step, dueAt, leaseUntil });
    }
    return true;
  });
}

async function report({ db, clock }: Needs, reference: string, response: ServerResponse): Promise<void> {
  const found = await findReport(db, reference, clock());
  if (!found) return reply(response, 404, { status: 'NOT_FOUND' });
  reply(response, 200, toReport(reference, found));
}

async function reverse({ db, clock }: Needs, reference: string, response: ServerResponse): Promise<void> {
  const reversed = await appendReversal(db, reference, clock());
  reply(response, reversed ? 202 : 409, { status: reversed ? 'ACCEPTED' : 'NOT_PAID' });
}

async function announceDue(runtime: Needs, limit: number, reference: string | null): Promise<number> {
  const now = runtime.clock();
  const steps = await claimSteps(runtime.db, { now, leaseUntil: addMs(now, 2 * CALLBACK_TIMEOUT_MS), limit, reference });
  await Promise.all(steps.map((step) => announce(runtime, step)));
  return steps.length;
}

async function announce(runtime: Needs, step: DueStep): Promise<void> {
  const body = JSON.stringify(toReport(step.reference, step));
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signCallback(runtime.callbackKey, body) };
  const { status, error } = await callOnce(step.callbackUrl, { headers, body, timeoutMs: CALLBACK_TIMEOUT_MS });
  const received = isSuccess({ status });
  const now = runtime.clock();
  const retryAt = !received && step.tries < MAX_CALLBACK_ATTEMPTS ? addMs(now, SECOND_MS) : null;
  await finishStep(runtime.db, step, now, retryAt);
  runtime.log[received ? 'info' : 'warn'](
    { reference: step.reference, callback: step.status, status, error: error?.detail },
    'simulated provider called back',
  );
}

function toReport(reference: string, { status, receipt, amount }: Pick<DueStep, 'status' | 'receipt' | 'amount'>): SandboxReport {
  const reversed = status === 'REVERSED';
  const paid = status === 'PAID' || reversed;
  return {
    reference,
    status,
    receipt: paid ? receipt : null,
    amount: paid ? Number(amount) : null,
    reversalReceipt: reversed ? `${receipt}R` : null,
  };
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
