import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { addMs, DAY_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { formatQr } from '@/lib/platform/core/emv';
import { SENTI_PER_SHILLING } from '@/lib/platform/core/money';
import { callOnce } from '@/lib/platform/outbound/call-once';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { readBody } from '@/lib/providers/kit/server';
import { isSuccess, parseJson } from '@/lib/providers/port/raw-answer';
import {
  changeInstrument,
  claimCallbacks,
  closeInstrument,
  type DueCallback,
  endCallback,
  endedBy,
  findPayee,
  findSandboxInstrument,
  insertSandboxInstrument,
  listInstrumentPayments,
  newNumber,
  type SandboxInstrument,
} from '@/lib/providers/scenarios/instrument-store';
import { issueBehaviourOf } from './outcomes';
import {
  amountSchema,
  instrumentSchema,
  type NewSandboxInstrument,
  type SandboxInstrumentReport,
  type SandboxReport,
  SIGNATURE_HEADER,
  signCallback,
} from './wire';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log' | 'settings'> & { readonly callbackKey: Uint8Array };

type Answer = { readonly status: number; readonly body: object } | 'cut';

/** The code of the simulated payment company in QR texts. */
const ACQUIRER = '999';
/** How long an order can be paid. */
const ORDER_MS = DAY_MS;
const CALLBACK_TIMEOUT_MS = 5 * SECOND_MS;
const MAX_CALLBACK_ATTEMPTS = 3;

/** Answers a request about payment instruments of the simulated provider. */
export async function answerInstrument(runtime: Needs, request: IncomingMessage): Promise<Answer> {
  const { db, clock } = runtime;
  const [, , , reference, operation] = (request.url ?? '').split('/');
  if (request.method === 'GET' && reference !== undefined) return show(runtime, reference);
  const body = parseJson(await readBody(request));
  if (reference === undefined) {
    const asked = instrumentSchema.safeParse(body);
    return asked.success
      ? issue(runtime, asked.data)
      : { status: 400, body: { status: 'INVALID', problem: asked.error.issues[0]?.message } };
  }
  if (operation === 'cancel') return changed(await closeInstrument(db, reference, clock()));
  const amount = amountSchema.safeParse(body).data?.amount;
  return changed(operation === 'amount' && amount !== undefined && (await changeInstrument(db, reference, BigInt(amount))));
}

function changed(done: boolean): Answer {
  return done ? { status: 200, body: { status: 'ACCEPTED' } } : { status: 409, body: { status: 'REFUSED' } };
}

async function issue(runtime: Needs, asked: NewSandboxInstrument): Promise<Answer> {
  const { answer, afterMs } = issueBehaviourOf(asked.amount);
  if (answer === 'unavailable') return { status: 503, body: { status: 'UNAVAILABLE' } };
  if (answer === 'refused') return { status: 422, body: { status: 'REFUSED' } };
  if (answer === 'not_issued') return 'cut';
  await setTimeout(afterMs * runtime.settings.SANDBOX_DELAY_FACTOR);
  const issued = await record(runtime, asked);
  if (!issued) return { status: 409, body: { status: 'DUPLICATE' } };
  runtime.log.info({ reference: asked.reference, kind: asked.kind, amount: asked.amount }, 'simulated instrument issued');
  return answer === 'lost' ? 'cut' : { status: 201, body: toReport(issued, [], runtime.clock()) };
}

/** Stores an instrument with a new number. Returns null if its reference has been used before. */
async function record(runtime: Needs, { reference, kind, amount, callbackUrl, merchantId }: NewSandboxInstrument) {
  const { db, clock, random, settings } = runtime;
  const payee = await findPayee(db, merchantId);
  const createdAt = clock();
  const about = { reference, kind, merchantId: merchantId ?? null, payee, amount: BigInt(amount), callbackUrl, createdAt, closedAt: null };
  for (;;) {
    const number = kind === 'order' ? newNumber(random, 8) : `99${newNumber(random, 10)}`;
    const code = { acquirer: ACQUIRER, account: number, merchantName: payee, reference: number, amount: about.amount * SENTI_PER_SHILLING };
    const instrument: SandboxInstrument =
      kind === 'order'
        ? { ...about, number, qr: formatQr(code), link: linkOf(settings, reference), expiresAt: addMs(createdAt, ORDER_MS) }
        : { ...about, number, qr: null, link: null, expiresAt: null };
    if (await insertSandboxInstrument(db, instrument)) return instrument;
    if (await findSandboxInstrument(db, reference)) return null;
  }
}

/** Returns the address of the page on which a customer pays an order by card. */
function linkOf({ SANDBOX_BASE_URL }: Needs['settings'], reference: string): string {
  return `${SANDBOX_BASE_URL.origin}/phone/card/${reference}`;
}

/** Answers a status query. */
async function show({ db, clock }: Needs, reference: string): Promise<Answer> {
  const instrument = await findSandboxInstrument(db, reference);
  if (!instrument) return { status: 404, body: { status: 'NOT_FOUND' } };
  return { status: 200, body: toReport(instrument, await listInstrumentPayments(db, reference), clock()) };
}

function toReport(
  instrument: SandboxInstrument,
  payments: Awaited<ReturnType<typeof listInstrumentPayments>>,
  now: Date,
): SandboxInstrumentReport {
  const { reference, number, qr, link, expiresAt } = instrument;
  return {
    reference,
    status: endedBy(instrument, now, payments.length > 0) === null ? 'OPEN' : 'ENDED',
    number,
    qr,
    link,
    expiresAt: expiresAt?.toISOString() ?? null,
    payments: payments.map(({ receipt, amount, paidAt }) => ({ receipt, amount: Number(amount), paidAt: paidAt.toISOString() })),
  };
}

/** Sends the callbacks about payments of instruments that are due. @returns their number. */
export async function announcePayments(runtime: Needs, limit: number): Promise<number> {
  const now = runtime.clock();
  const due = await claimCallbacks(runtime.db, { now, leaseUntil: addMs(now, 2 * CALLBACK_TIMEOUT_MS), limit });
  await Promise.all(due.map((payment) => announce(runtime, payment)));
  return due.length;
}

async function announce({ db, clock, log, callbackKey }: Needs, { callbackUrl, tries, ...payment }: DueCallback): Promise<void> {
  const { reference, receipt, mobile, amount, paidAt } = payment;
  const report: SandboxReport = { reference, status: 'PAID', receipt, amount: Number(amount), mobile, paidAt: paidAt.toISOString() };
  const body = JSON.stringify(report);
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signCallback(callbackKey, body) };
  const { status, error } = await callOnce(callbackUrl, { headers, body, timeoutMs: CALLBACK_TIMEOUT_MS });
  const received = isSuccess({ status });
  await endCallback(db, receipt, !received && tries < MAX_CALLBACK_ATTEMPTS ? addMs(clock(), SECOND_MS) : null);
  log[received ? 'info' : 'warn'](
    { reference, receipt, status, error: error?.detail },
    'simulated provider called back about an instrument',
  );
}
