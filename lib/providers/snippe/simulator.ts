import { randomUUID } from 'node:crypto';
import { HOUR_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { formatQr } from '@/lib/platform/core/emv';
import { isRecord } from '@/lib/platform/core/is-record';
import { SENTI_PER_SHILLING } from '@/lib/platform/core/money';
import type { Ending } from '@/lib/providers/kit/behaviours';
import type { SimulatedInstrument } from '@/lib/providers/kit/instruments';
import type { SimulatedPayout } from '@/lib/providers/kit/payouts';
import type { SimulatedPayment } from '@/lib/providers/kit/record';
import type { Reply, Route, SimulatedRequest } from '@/lib/providers/kit/server';
import { describeIssues, type Protocol, type Simulation, type SimulationOptions, startSimulation } from '@/lib/providers/kit/simulation';
import { parseJson } from '@/lib/providers/port/raw-answer';
import type { SnippeCredentialsInput } from './adapter';
import {
  EVENT_HEADER,
  instrumentRequestSchema,
  PAYMENTS_PATH,
  PAYOUTS_PATH,
  type PaymentRequest,
  paymentRequestSchema,
  payoutRequestSchema,
  SEND_PAYOUT_PATH,
  SIGNATURE_HEADER,
  type SnippeInstrumentRequest,
  type SnippeStatus,
  signWebhook,
  TIMESTAMP_HEADER,
  VERSION,
} from './wire';

const API_KEY = 'snp_simulated_key';
const NO_KEY = 'The header Authorization must be Bearer and the apiKey of the credentials';
const WEBHOOK_SECRET = 'whk_simulated_secret';
const KEY_MAX_CHARACTERS = 30;
/** The share of each payment that Snippe keeps. */
const FEE_RATE = 0.005;
/** What Snippe takes for each payout, besides its amount. */
const PAYOUT_FEE = 1_500;
const EXPIRES_MS = 4 * HOUR_MS;

interface Details {
  readonly request: PaymentRequest;
  /** The bytes of the request. The same Idempotency-Key with other bytes is refused. */
  readonly text: string;
}
type Payment = SimulatedPayment<Details>;

const STATUSES: Readonly<Record<Ending, SnippeStatus>> = {
  paid: 'completed',
  cancelled: 'failed',
  wrong_pin: 'failed',
  insufficient_funds: 'failed',
  internal_error: 'failed',
  expired: 'expired',
};
const FAILURES: Readonly<Partial<Record<Ending, string>>> = {
  cancelled: 'Customer cancelled the request',
  wrong_pin: 'Wrong PIN',
  insufficient_funds: 'Insufficient balance',
  internal_error: 'Internal error',
};

/** Creates the answer that refuses a request. @param why the reason for `GET /control`; by default the message. */
function failure(code: number, error_code: string, message: string, why = message) {
  return { status: code, body: { status: 'error', code, error_code, message }, why };
}

/** Starts a simulator of Snippe. */
export async function startSnippeSimulator(options: SimulationOptions) {
  const { clock } = options;
  const asked: AskedInstruments = new Map();
  const protocol = {
    credentials: (url) => ({
      apiKey: API_KEY,
      webhookSecret: WEBHOOK_SECRET,
      payerEmail: 'payments@example.com',
      payouts: true,
      baseUrl: url,
    }),
    tokenPath: null,
    tooManyRequests: failure(429, 'rate_limit_exceeded', 'Too many requests'),
    repeatPausesMs: [180 * SECOND_MS, 360 * SECOND_MS, 720 * SECOND_MS, 1_440 * SECOND_MS],
    callbackUrlOf: ({ details }) => details.request.webhook_url ?? null,
    callback: (payment, ending, forged) =>
      toWebhook(`payment.${STATUSES[ending]}`, present(payment, ending), clock(), forged ? 'another secret' : WEBHOOK_SECRET),
    payoutCallback(payout) {
      const status = PAYOUT_STATUSES[payout.behaviour.ending ?? 'failed'];
      return toWebhook(`payout.${status}`, presentPayout(payout, status), clock(), WEBHOOK_SECRET);
    },
    instrumentCallback: (instrument) =>
      toWebhook('payment.completed', presentInstrument(instrument, asked, clock().getTime()), clock(), WEBHOOK_SECRET),
    routes: (simulation) => routes(simulation, asked),
  } satisfies Protocol<Details, SnippeCredentialsInput>;
  return startSimulation(protocol, options);
}

function toWebhook(type: string, data: object, at: Date, secret: string) {
  const body = JSON.stringify({ id: `evt_${randomUUID()}`, type, api_version: VERSION, created_at: at, data });
  const timestamp = String(Math.floor(at.getTime() / SECOND_MS));
  const signature = signWebhook(secret, timestamp, body);
  return { headers: { [EVENT_HEADER]: type, [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature }, body };
}

function routes(simulation: Simulation<Details>, asked: AskedInstruments): readonly Route[] {
  return [
    { method: 'POST', path: PAYMENTS_PATH, answer: (request) => refuse(request) ?? takePayment(simulation, asked, request) },
    { method: 'GET', path: `${PAYMENTS_PATH}/:reference`, answer: (request) => refuse(request) ?? showPayment(simulation, asked, request) },
    {
      method: 'DELETE',
      path: `${PAYMENTS_PATH}/:reference`,
      answer: (request) => refuse(request) ?? voidPayment(simulation, asked, request),
    },
    { method: 'POST', path: SEND_PAYOUT_PATH, answer: (request) => refuse(request) ?? takePayout(simulation, request) },
    { method: 'GET', path: `${PAYOUTS_PATH}/:reference`, answer: (request) => refuse(request) ?? showPayout(simulation, request) },
  ];
}

function refuse({ headers }: SimulatedRequest): Reply | null {
  return headers.authorization === `Bearer ${API_KEY}` ? null : failure(401, 'unauthorized', 'Invalid API key', NO_KEY);
}

/** Returns the Idempotency-Key of a request, or the answer that refuses it. */
function readKey({ headers }: SimulatedRequest): string | ReturnType<typeof failure> {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return failure(400, 'validation_error', 'Idempotency-Key is required');
  return key.length > KEY_MAX_CHARACTERS
    ? failure(500, 'PAY_001', 'Idempotency-Key is too long', `Idempotency-Key has more than ${KEY_MAX_CHARACTERS} characters`)
    : key;
}

const OTHER_BODY = failure(422, 'validation_error', 'Idempotency-Key was used with another body');

async function takePayment(simulation: Simulation<Details>, asked: AskedInstruments, request: SimulatedRequest): Promise<Reply> {
  const { record, conduct } = simulation;
  const { body, text } = request;
  if (conduct.suspended) return failure(403, 'insufficient_scope', 'Collections are suspended for this account');
  const key = readKey(request);
  if (typeof key !== 'string') return key;
  const type = isRecord(body) ? body.payment_type : undefined;
  if (type === 'dynamic-qr' || type === 'card') return takeInstrument(simulation, asked, key, request);
  const parsed = paymentRequestSchema.safeParse(body);
  if (!parsed.success) return failure(400, 'validation_error', describeIssues(parsed.error));
  const known = record.findByReference(key);
  if (known) return known.details.text === text ? created(known) : OTHER_BODY;
  const { details, phone_number: mobile } = parsed.data;
  return simulation.take(
    { reference: key, id: randomUUID(), mobile, amount: details.amount, details: { request: parsed.data, text } },
    {
      accepted: (payment) => created(payment),
      refused: (refusal) =>
        failure(
          400,
          'payment_failed',
          refusal === 'limit_exceeded' ? 'Transaction limit exceeded' : 'The number is not registered for mobile money',
        ),
    },
  );
}

/** Returns the answer to a new payment. A repetition gets the same answer, whatever has happened since. */
function created(payment: Payment): Reply {
  const expires_at = new Date(payment.takenAt + EXPIRES_MS).toISOString();
  const { amount, settlement, ...data } = present(payment, null);
  return { status: 201, body: { status: 'success', code: 201, data: { ...data, amount, expires_at } } };
}

function showPayment({ record, instruments }: Simulation<Details>, asked: AskedInstruments, { params }: SimulatedRequest): Reply {
  const instrument = instruments.find('id', params.reference ?? '');
  if (instrument) return { status: 200, body: { status: 'success', code: 200, data: presentInstrument(instrument, asked, record.now()) } };
  const payment = record.query(record.findById(params.reference ?? ''));
  if (!payment) return failure(404, 'not_found', 'Payment not found');
  return { status: 200, body: { status: 'success', code: 200, data: present(payment, record.endingOf(payment)) } };
}

function presentMoney(amount: number, status: SnippeStatus) {
  const tzs = (value: number) => ({ value, currency: 'TZS' });
  const fees = Math.round(amount * FEE_RATE);
  return {
    amount: tzs(amount),
    settlement: status === 'completed' ? { gross: tzs(amount), fees: tzs(fees), net: tzs(amount - fees) } : null,
  };
}

function present({ id, amount, details }: Payment, ending: Ending | null) {
  const status: SnippeStatus = ending === null ? 'pending' : STATUSES[ending];
  return {
    reference: id,
    status,
    payment_type: 'mobile',
    ...presentMoney(amount, status),
    failure_reason: ending === null ? null : (FAILURES[ending] ?? null),
    customer: details.request.customer,
    metadata: details.request.metadata ?? {},
  };
}

/** The code of Selcom in a QR text. */
const ACQUIRER = '03998';

/** A request for an instrument, with its bytes. */
interface Asked {
  readonly request: SnippeInstrumentRequest;
  readonly text: string;
}
/** The requests for instruments, by the id of the instrument. */
type AskedInstruments = Map<string, Asked>;

function takeInstrument(
  simulation: Simulation<Details>,
  asked: AskedInstruments,
  reference: string,
  { body, text }: SimulatedRequest,
): Reply {
  const { instruments, random, record } = simulation;
  const parsed = instrumentRequestSchema.safeParse(body);
  if (!parsed.success) return failure(400, 'validation_error', describeIssues(parsed.error));
  const accepted = (instrument: SimulatedInstrument) => issued(instrument, asked);
  const known = instruments.find('reference', reference);
  if (known) return asked.get(known.id)?.text === text ? accepted(known) : OTHER_BODY;
  const { details, webhook_url: callbackUrl = null } = parsed.data;
  const number = instruments.newNumber(8);
  const amount = BigInt(details.amount) * SENTI_PER_SHILLING;
  const ways = {
    number,
    qr: formatQr({ acquirer: ACQUIRER, account: number, merchantName: 'Simulated shop', reference: number, amount }),
    link: `https://tz.selcom.online/paymentgw/checkout/${Buffer.from(random(12)).toString('hex')}`,
  };
  const id = randomUUID();
  asked.set(id, { request: parsed.data, text });
  return simulation.issueInstrument(
    { reference, id, amount: details.amount, takes: 'exact', single: true, callbackUrl, expiresAt: record.now() + EXPIRES_MS, ...ways },
    { accepted, refused: failure(400, 'payment_failed', 'The payment cannot be created') },
  );
}

/** Returns the answer to a new instrument. A repetition gets the same answer, whatever has happened since. */
function issued(instrument: SimulatedInstrument, asked: AskedInstruments): Reply {
  const { number, qr, link, issuedAt } = instrument;
  const data = presentInstrument({ ...instrument, payments: [], cancelledAt: null }, asked, issuedAt);
  const ways = { payment_token: number, payment_qr_code: qr, payment_url: link };
  return { status: 201, body: { status: 'success', code: 201, data: { ...data, ...ways } } };
}

function voidPayment({ instruments, record }: Simulation<Details>, asked: AskedInstruments, { params }: SimulatedRequest): Reply {
  const instrument = instruments.find('id', params.reference ?? '');
  if (!instrument) return failure(404, 'not_found', 'Payment not found');
  const now = record.now();
  const { status } = presentInstrument(instrument, asked, now);
  if (status !== 'pending' && status !== 'voided') return failure(409, 'conflict', `The payment is ${status}`);
  instrument.cancelledAt ??= now;
  return { status: 200, body: { status: 'success', code: 200, data: presentInstrument(instrument, asked, now) } };
}

function presentInstrument(instrument: SimulatedInstrument, asked: AskedInstruments, now: number) {
  const { id, amount, payments, cancelledAt, expiresAt } = instrument;
  const request = asked.get(id)?.request;
  const [payment] = payments;
  const isOver = expiresAt !== null && expiresAt <= now;
  const status: SnippeStatus = payment ? 'completed' : cancelledAt !== null ? 'voided' : isOver ? 'expired' : 'pending';
  return {
    reference: id,
    status,
    payment_type: request?.payment_type,
    ...presentMoney(payment?.amount ?? amount, status),
    failure_reason: null,
    customer: { ...request?.customer, ...(payment && { phone: payment.mobile }) },
    metadata: request?.metadata ?? {},
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    ...(payment && { completed_at: new Date(payment.paidAt).toISOString() }),
  };
}

const PAYOUT_STATUSES = { paid: 'completed', failed: 'failed' } as const;

function takePayout(simulation: Simulation<Details>, request: SimulatedRequest): Reply {
  const { payouts, conduct } = simulation;
  const { body, text } = request;
  if (conduct.suspended) return failure(403, 'insufficient_scope', 'API key does not have required scope: disbursement:create');
  const reference = readKey(request);
  if (typeof reference !== 'string') return reference;
  const parsed = payoutRequestSchema.safeParse(body);
  if (!parsed.success) return failure(400, 'validation_error', describeIssues(parsed.error));
  const createdPayout = (payout: SimulatedPayout): Reply => ({
    status: 201,
    body: { status: 'success', code: 201, data: presentPayout(payout, 'pending') },
  });
  const known = payouts.find({ reference });
  if (known) return known.text === text ? createdPayout(known) : OTHER_BODY;
  const { recipient_phone: mobile, amount, webhook_url: callbackUrl = null } = parsed.data;
  return simulation.takePayout(
    { reference, id: randomUUID(), mobile, amount, callbackUrl, text },
    { accepted: createdPayout, refused: failure(400, 'validation_error', 'recipient_phone must be a valid phone number') },
  );
}

function showPayout({ payouts }: Simulation<Details>, { params }: SimulatedRequest): Reply {
  const payout = payouts.find({ id: params.reference ?? '' });
  if (!payout) return failure(404, 'not_found', 'Payout not found');
  const ending = payouts.endingOf(payout);
  const data = presentPayout(payout, ending === null ? 'pending' : PAYOUT_STATUSES[ending]);
  return { status: 200, body: { status: 'success', code: 200, data } };
}

function presentPayout({ id, amount, mobile, text }: SimulatedPayout, status: 'pending' | 'completed' | 'failed') {
  const tzs = (value: number) => ({ value, currency: 'TZS' });
  const { recipient_name: name, metadata = {} } = payoutRequestSchema.parse(parseJson(Buffer.from(text)));
  return {
    object: 'payout',
    reference: id,
    status,
    channel: { type: 'mobile_money' },
    recipient: { name, phone: mobile },
    amount: tzs(amount),
    fees: tzs(PAYOUT_FEE),
    total: tzs(amount + PAYOUT_FEE),
    failure_reason: status === 'failed' ? 'The wallet refused the money' : null,
    metadata,
  };
}
