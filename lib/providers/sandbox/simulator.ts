import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { addMs, SECOND_MS } from '@/lib/platform/core/clock';
import { formatCsv } from '@/lib/platform/core/csv';
import { toNational } from '@/lib/platform/core/mobile';
import { callOnce } from '@/lib/platform/outbound/call-once';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { readBody, startLoopbackServer } from '@/lib/providers/kit/server';
import { isSuccess } from '@/lib/providers/port/raw-answer';
import { listPaidInstruments, newReceipt } from '@/lib/providers/scenarios/instrument-store';
import { type PaymentScenario, WALLET_LIMIT_SHILLINGS } from '@/lib/providers/scenarios/scenarios';
import { findDelayFactors, findScenario } from '@/lib/providers/scenarios/store';
import { announcePayments, answerInstrument } from './issuer';
import { BEHAVIOURS, BY_PHONE, behaviourOf, type RefundBehaviour, refundBehaviourOf, type SandboxBehaviour } from './outcomes';
import {
  claimSteps,
  type DueStep,
  type FinalState,
  findPhone,
  findRefund,
  findReport,
  insertPayout,
  insertPrompt,
  insertReversal,
  insertRing,
  insertStep,
  listFinalStates,
  listPayouts,
  type RungPhone,
} from './store';
import {
  payoutSchema,
  promptSchema,
  reversalSchema,
  type SandboxPayout,
  type SandboxPrompt,
  type SandboxRefund,
  type SandboxReport,
  type SandboxReversal,
  SIGNATURE_HEADER,
  signCallback,
} from './wire';

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
    announceDue: async (limit: number) => (await announceDue(runtime, limit, null)) + (await announcePayments(runtime, limit)),
  };
}

async function answer(runtime: Needs, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url?.startsWith('/v1/instruments')) {
    const answered = await answerInstrument(runtime, request);
    if (answered === 'cut') return void response.destroy();
    return reply(response, answered.status, answered.body);
  }
  const [, kind, reference, operation] = /^\/v1\/(prompts|refunds)\/([A-Z0-9]{20})(\/reversals)?$/.exec(request.url ?? '') ?? [];
  if (request.method === 'GET' && reference && !operation)
    return kind === 'prompts' ? report(runtime, reference, response) : showRefund(runtime, reference, response);
  if (request.method !== 'POST') return reply(response, 404, { status: 'NO_SUCH_PATH' });
  const body: unknown = JSON.parse((await readBody(request)).toString('utf8'));
  if (request.url === '/v1/prompts') {
    const prompt = promptSchema.safeParse(body);
    return prompt.success ? takePrompt(runtime, prompt.data, response) : refuse(response, prompt.error);
  }
  if (request.url === '/v1/payouts') {
    const payout = payoutSchema.safeParse(body);
    return payout.success ? payOut(runtime, payout.data, response) : refuse(response, payout.error);
  }
  if (kind !== 'prompts' || !reference || !operation) return reply(response, 404, { status: 'NO_SUCH_PATH' });
  const reversal = reversalSchema.safeParse(body);
  return reversal.success ? reverse(runtime, reference, reversal.data, response) : refuse(response, reversal.error);
}

function refuse(response: ServerResponse, { issues }: z.ZodError): void {
  reply(response, 400, { status: 'INVALID', problem: issues[0]?.message });
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
  const recorded = { ...prompt, amount, receipt: newReceipt(runtime.random), createdAt };
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

async function reverse(runtime: Needs, promptReference: string, reversal: SandboxReversal, response: ServerResponse): Promise<void> {
  const { db, clock } = runtime;
  const prompt = await findReport(db, promptReference, clock());
  if (!prompt) return reply(response, 409, { status: 'NOT_PAID' });
  const { mobile } = prompt;
  await giveBack(response, refundBehaviourOf(mobile), (behaviour) =>
    db.sqlTransaction((tx) =>
      insertReversal(tx, { ...newRefund(runtime, { ...reversal, mobile }, behaviour), promptReference, callbacks: behaviour.callbacks }),
    ),
  );
}

async function payOut(runtime: Needs, payout: SandboxPayout, response: ServerResponse): Promise<void> {
  await giveBack(response, refundBehaviourOf(payout.mobile), async (behaviour) =>
    (await insertPayout(runtime.db, newRefund(runtime, payout, behaviour))) ? 'accepted' : 'duplicate',
  );
}

type AcceptedBehaviour = RefundBehaviour & { readonly afterMs: number };

function newRefund(runtime: Needs, { reference, mobile, amount }: SandboxPayout, { afterMs, succeeds }: AcceptedBehaviour) {
  const createdAt = runtime.clock();
  const endsAt = addMs(createdAt, afterMs * runtime.settings.SANDBOX_DELAY_FACTOR);
  return { reference, mobile, amount: BigInt(amount), receipt: newReceipt(runtime.random), succeeds, endsAt, createdAt };
}

const REFUND_ANSWERS = {
  accepted: [202, 'ACCEPTED'],
  duplicate: [409, 'DUPLICATE'],
  not_paid: [409, 'NOT_PAID'],
} as const;

/** Answers a request for a reversal or a payout as the behaviour says. @param record stores it. */
async function giveBack(
  response: ServerResponse,
  behaviour: RefundBehaviour,
  record: (behaviour: AcceptedBehaviour) => Promise<keyof typeof REFUND_ANSWERS>,
): Promise<void> {
  const { answer, afterMs } = behaviour;
  if (answer === 'refused') return reply(response, 422, { status: 'REFUSED' });
  const recorded = afterMs === null ? null : await record({ ...behaviour, afterMs });
  if (answer === 'lost' || recorded === null) {
    response.destroy();
    return;
  }
  const [http, status] = REFUND_ANSWERS[recorded];
  reply(response, http, { status });
}

/** Answers a status query about a reversal or a payout. */
async function showRefund({ db, clock }: Needs, reference: string, response: ServerResponse): Promise<void> {
  const refund = await findRefund(db, reference);
  if (!refund) return reply(response, 404, { status: 'NOT_FOUND' });
  const { amount, receipt, succeeds, endsAt } = refund;
  const status = endsAt > clock() ? 'PENDING' : succeeds ? 'DONE' : 'FAILED';
  reply(response, 200, { reference, status, receipt, amount: Number(amount) } satisfies SandboxRefund);
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
  // Status queries report the state of the step also while its callback is retried.
  await runtime.db.prisma.sandboxStep.updateMany({
    where: { reference: step.reference, number: step.number },
    data: { leaseUntil: retryAt, doneAt: retryAt === null ? now : null },
  });
  runtime.log[received ? 'info' : 'warn'](
    { reference: step.reference, callback: step.status, status, error: error?.detail },
    'simulated provider called back',
  );
}

function toReport(
  reference: string,
  { status, receipt, amount, ...reversal }: Pick<DueStep, 'status' | 'receipt' | 'amount' | 'reversedAmount' | 'reversalReceipt'>,
): SandboxReport {
  const reversed = status === 'REVERSED';
  const paid = status === 'PAID' || reversed;
  return {
    reference,
    status,
    receipt: paid ? receipt : null,
    amount: paid ? Number(amount) : null,
    reversalReceipt: reversed ? receiptOfReversal(receipt, reversal) : null,
    reversedAmount: reversal.reversedAmount === null ? null : Number(reversal.reversedAmount),
  };
}

/** Returns the receipt number of a reversal. If the provider has reversed a payment by itself, the number of the payment is a part of it. */
function receiptOfReversal(receipt: string, { reversalReceipt }: Pick<DueStep, 'reversalReceipt'>): string {
  return reversalReceipt ?? `${receipt}R`;
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const HEADER = ['Receipt', 'Completed', 'Status', 'Type', 'Amount', 'Reference', 'Phone', 'Reverses'];

/** Creates the simulated provider's statement of a period as CSV. If the period ends in the future, the statement ends now. */
export async function writeStatement(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  { from, to }: { from: Date; to: Date },
): Promise<{ csv: string; lines: number }> {
  const now = clock();
  const period = { from, to: to < now ? to : now };
  const lines = [
    ...(await listFinalStates(db, period)).map((state) => ({ at: state.at, cells: toCells(state) })),
    ...(await listPaidInstruments(db, period)).map(({ reference, mobile, amount, receipt, at }) => ({
      at,
      cells: [receipt, at.toISOString(), 'PAID', 'payment', amount.toString(), reference, mobile ?? '', ''],
    })),
    // Payouts are not payments. Their status makes sure that nobody reads them as such.
    ...(await listPayouts(db, period)).map(({ reference, mobile, amount, receipt, at }) => ({
      at,
      cells: [receipt, at.toISOString(), 'PAID_OUT', 'payout', amount.toString(), reference, mobile, ''],
    })),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return { csv: formatCsv([HEADER, ...lines.map(({ cells }) => cells)]), lines: lines.length };
}

function toCells({ reference, mobile, amount, receipt, status, at, ...reversal }: FinalState): readonly string[] {
  const reversed = status === 'REVERSED';
  return [
    reversed ? receiptOfReversal(receipt, reversal) : receipt,
    at.toISOString(),
    // `PAID` marks completed transactions, also reversals.
    reversed ? 'PAID' : status,
    reversed ? 'reversal' : 'payment',
    (reversal.reversedAmount ?? amount).toString(),
    reference,
    mobile,
    reversed ? receipt : '',
  ];
}
