import { z } from 'zod';
import { type Clock, MINUTE_MS } from '@/lib/platform/core/clock';
import { formatQr } from '@/lib/platform/core/emv';
import { isRecord } from '@/lib/platform/core/is-record';
import { SENTI_PER_SHILLING } from '@/lib/platform/core/money';
import type { Ending } from '@/lib/providers/kit/behaviours';
import type { InstrumentPayment, SimulatedInstrument } from '@/lib/providers/kit/instruments';
import type { SimulatedPayout } from '@/lib/providers/kit/payouts';
import type { SimulatedPayment } from '@/lib/providers/kit/record';
import type { Reply, Route, SimulatedRequest } from '@/lib/providers/kit/server';
import { describeIssues, type Protocol, type Simulation, type SimulationOptions, startSimulation } from '@/lib/providers/kit/simulation';
import type { SelcomCredentialsInput } from './adapter';
import { CANCEL_PATH } from './instrument-wire';
import {
  authorizationOf,
  formatTimestamp,
  ORDER_PATH,
  type OrderRequest,
  orderRequestSchema,
  PAYMENT_PATH,
  PAYOUT_PATH,
  PAYOUT_STATUS_PATH,
  paymentRequestSchema,
  payoutRequestSchema,
  provenFields,
  STATUS_PATH,
} from './wire';

const VENDOR = 'SIMULATED';
const PAYOUT_PIN = '1234';
/** The smallest payout in whole shillings. */
const MIN_PAYOUT = 1_000;

/** An order that can be paid without a prompt, and also by one. */
interface Order {
  readonly request: OrderRequest;
  readonly instrument: SimulatedInstrument;
}
interface Details extends OrderRequest {
  readonly transid: string;
}
type Payment = SimulatedPayment<Details>;

const STATUSES: Readonly<Record<Ending, string>> = {
  paid: 'COMPLETED',
  cancelled: 'USERCANCELLED',
  wrong_pin: 'REJECTED',
  insufficient_funds: 'REJECTED',
  internal_error: 'REJECTED',
  expired: 'CANCELLED',
};

/** What a simulated Selcom remembers besides payments. */
interface Memory {
  readonly orders: Map<string, Order>;
  readonly orderAnswers: Reply[];
}

/** Starts a simulator of Selcom Checkout. */
export async function startSelcomSimulator(options: SimulationOptions) {
  const memory: Memory = { orders: new Map(), orderAnswers: [] };
  const protocol = {
    credentials: (url) => ({
      apiKey: API_KEY,
      apiSecret: API_SECRET,
      vendor: VENDOR,
      buyerEmail: 'payments@example.com',
      buyerPhone: '0754000099',
      payoutPin: PAYOUT_PIN,
      baseUrl: url,
    }),
    tokenPath: null,
    tooManyRequests: failure(429, '429', 'Too many requests'),
    unknownAddress: failure(404, '404', 'Not found'),
    // No source says that Selcom refuses a second prompt for an order. The simulator sends the second prompt and records a complaint.
    refusesDuplicates: false,
    repeatPausesMs: [],
    callbackUrlOf: ({ details }) => callbackUrlOf(details),
    // Selcom calls back about successful payments only. Real callbacks had no signature, although Selcom documents a signature.
    callback: (payment, ending, forged) =>
      ending === 'paid'
        ? { body: JSON.stringify(toWebhook(payment, paidBy(payment.mobile, payment.details.transid, forged ? 'FORGED' : payment.id))) }
        : null,
    instrumentCallback: ({ reference }, payment) => ({
      body: JSON.stringify(toWebhook({ reference, amount: payment.amount }, paidWithout(payment))),
    }),
    routes: (simulation) => routes(simulation, memory),
    wrongAddresses: [
      { path: /\/wallet\/pushussd$/, detail: 'a payment of pushussd belongs to no order, so that order-status does not find it' },
      { path: /\/order-status\/./, detail: 'order-status takes order_id as a query parameter' },
    ],
  } satisfies Protocol<Details, SelcomCredentialsInput>;
  const running = await startSimulation(protocol, options);
  return {
    ...running,
    /** Replaces the answers to the next valid create-order calls. The orders are still created. */
    replaceOrderAnswers: (...replies: readonly Reply[]) => void memory.orderAnswers.push(...replies),
  };
}

function callbackUrlOf({ webhook }: OrderRequest): string | null {
  const url = z.url().safeParse(Buffer.from(webhook ?? '', 'base64').toString('utf8'));
  return url.success ? url.data : null;
}

function routes(simulation: Simulation<Details>, memory: Memory): readonly Route[] {
  const authorised = (answer: Route['answer']) => (request: SimulatedRequest) => {
    if (simulation.conduct.suspended) return failure(403, '403', 'API endpoint not enabled for the vendor (4035)');
    return refuseAccess(request, simulation.clock) ?? answer(request);
  };
  return [
    { method: 'POST', path: ORDER_PATH, answer: authorised((request) => createOrder(simulation, memory, request)) },
    // The adapter uses neither create-order nor list-orders, but Selcom's own client has them.
    { method: 'POST', path: '/v1/checkout/create-order', answer: authorised((request) => createOrder(simulation, memory, request)) },
    { method: 'DELETE', path: CANCEL_PATH, answer: authorised((request) => cancelOrder(simulation, memory, request)) },
    { method: 'GET', path: '/v1/checkout/list-orders', answer: authorised((request) => listOrders(simulation, memory, request)) },
    { method: 'POST', path: PAYMENT_PATH, answer: authorised((request) => takePayment(simulation, memory, request)) },
    { method: 'GET', path: STATUS_PATH, answer: authorised((request) => showOrder(simulation, memory, request)) },
    { method: 'POST', path: PAYOUT_PATH, answer: authorised((request) => takePayout(simulation, request)) },
    { method: 'GET', path: PAYOUT_STATUS_PATH, answer: authorised((request) => showPayout(simulation, request)) },
  ];
}

function createOrder(simulation: Simulation<Details>, { orders, orderAnswers }: Memory, { body }: SimulatedRequest): Reply {
  const { clock, random, instruments } = simulation;
  const parsed = orderRequestSchema.safeParse(body);
  if (!parsed.success) return refuseParameter(parsed.error);
  const request = parsed.data;
  const { order_id: reference, amount, expiry } = request;
  if (request.vendor !== VENDOR) return failure(412, '412', 'Parameter vendor is invalid or missing');
  if (request.webhook !== undefined && callbackUrlOf(request) === null)
    return failure(412, '412', 'Parameter webhook is invalid or missing');
  // Selcom does not document the text of this refusal.
  if (orders.has(reference)) return orderAnswers.shift() ?? failure(200, '409', 'Duplicate order_id');
  const number = instruments.newNumber(8);
  const code = { acquirer: 'SIMULATED', account: number, merchantName: VENDOR, reference, amount: BigInt(amount) * SENTI_PER_SHILLING };
  const reply = simulation.issueInstrument(
    {
      reference,
      id: newNumber(random, 10),
      amount,
      takes: 'exact',
      number,
      qr: formatQr(code),
      link: `https://selcom.example/${reference}`,
      callbackUrl: callbackUrlOf(request),
      expiresAt: expiry === undefined ? null : clock().getTime() + expiry * MINUTE_MS,
    },
    {
      accepted: (created) => orderAnswers.shift() ?? presentNewOrder(created),
      refused: failure(403, '403', 'API endpoint not enabled for the vendor (4035)'),
    },
  );
  const instrument = instruments.find('reference', reference);
  if (instrument) orders.set(reference, { request, instrument });
  return reply;
}

function presentNewOrder({ id: reference, number, qr, link }: SimulatedInstrument): Reply {
  const payment_gateway_url = Buffer.from(link ?? '').toString('base64');
  const data = [{ gateway_buyer_uuid: '', payment_token: number, qr, payment_gateway_url }];
  return { status: 200, body: { reference, resultcode: '000', result: 'SUCCESS', message: 'Order created', data } };
}

async function takePayment(simulation: Simulation<Details>, { orders }: Memory, { body }: SimulatedRequest): Promise<Reply> {
  const parsed = paymentRequestSchema.safeParse(body);
  if (!parsed.success) return refuseParameter(parsed.error);
  const { order_id: reference, transid, msisdn: mobile } = parsed.data;
  const order = orders.get(reference);
  if (!order || order.instrument.cancelledAt !== null) return failure(200, '404', 'order not found', order && 'The order was cancelled');
  const { request } = order;
  return simulation.take(
    { reference, id: newNumber(simulation.random, 10), mobile, amount: request.amount, details: { ...request, transid } },
    {
      accepted: ({ id }) => ({
        status: 200,
        body: { reference: id, transid, resultcode: '111', result: 'PENDING', message: 'Request in progress', data: [] },
      }),
      refused: (refusal) =>
        refusal === 'limit_exceeded' ? failure(200, '014', 'Amount too high') : failure(200, '010', 'Invalid mobile number'),
    },
  );
}

function takePayout(simulation: Simulation<Details>, { body, text }: SimulatedRequest): Reply {
  const { payouts, random } = simulation;
  const parsed = payoutRequestSchema.safeParse(body);
  if (!parsed.success) return refuseParameter(parsed.error);
  const { transid: reference, utilityref: mobile, amount, vendor, pin } = parsed.data;
  if (vendor !== VENDOR || pin !== PAYOUT_PIN) return failure(412, '412', 'Parameter vendor or pin is invalid or missing');
  if (amount < MIN_PAYOUT) return failure(200, '013', 'Amount is below the minimum');
  // Selcom documents only that a transid cannot be used twice.
  if (payouts.find({ reference })) return failure(200, '409', 'Duplicate transid');
  return simulation.takePayout(
    { reference, id: newNumber(random, 10), mobile, amount, callbackUrl: null, text },
    {
      accepted: (payout) => presentPayout(simulation, payout),
      refused: failure(200, '010', 'Invalid mobile number or operator not supported'),
    },
  );
}

function showPayout(simulation: Simulation<Details>, { query }: SimulatedRequest): Reply {
  const payout = simulation.payouts.find({ reference: query.transid ?? '' });
  if (payout) return presentPayout(simulation, payout);
  const { body, ...unknown } = failure(200, '999', 'No response from upstream system', 'There is no payout with this transid');
  return { ...unknown, body: { ...body, result: 'AMBIGUOUS' } };
}

function presentPayout({ payouts }: Simulation<Details>, payout: SimulatedPayout): Reply {
  const { id, reference: transid } = payout;
  const ending = payouts.endingOf(payout);
  if (ending === 'failed') return failure(200, '010', 'Invalid mobile number or operator not supported');
  const result =
    ending === 'paid'
      ? { resultcode: '000', result: 'SUCCESS', message: 'Transaction successful', data: [{ receipt: `W${id}` }] }
      : { resultcode: '111', result: 'PENDING', message: 'Request in progress', data: [] };
  return { status: 200, body: { reference: id, transid, ...result } };
}

function cancelOrder({ record }: Simulation<Details>, { orders }: Memory, { query }: SimulatedRequest): Reply {
  const instrument = orders.get(query.order_id ?? '')?.instrument;
  if (!instrument) return failure(200, '404', 'order not found');
  const refuse = (why: string) => failure(200, '403', 'order cannot be cancelled', why);
  if (record.findByReference(instrument.reference)) return refuse('A payment was requested for the order');
  if (instrument.payments.length > 0) return refuse('The order was paid');
  if (hasExpired(record, instrument)) return refuse('The order has expired');
  instrument.cancelledAt ??= record.now();
  return success('Order cancelled', []);
}

/** Lists the orders of a period. `fromdate` and `todate` are days such as `2026-11-26`. */
function listOrders({ record }: Simulation<Details>, { orders }: Memory, { query }: SimulatedRequest): Reply {
  const { fromdate = '', todate = '' } = query;
  const days = z.object({ fromdate: z.iso.date(), todate: z.iso.date() }).safeParse({ fromdate, todate });
  if (!days.success) return refuseParameter(days.error);
  const isInPeriod = ({ instrument }: Order) => {
    const day = formatTimestamp(new Date(instrument.issuedAt)).slice(0, 10);
    return day >= fromdate && day <= todate;
  };
  return success(
    'Order fetch successful',
    [...orders.values()].filter(isInPeriod).flatMap((order) => presentOrder(record, order)),
  );
}

function showOrder({ record }: Simulation<Details>, { orders }: Memory, { query }: SimulatedRequest): Reply {
  const order = orders.get(query.order_id ?? '');
  const payment = record.findByReference(query.order_id ?? '');
  if (!order || (payment && !record.query(payment)))
    return failure(200, '404', 'order not found', order && 'Status queries do not find a new payment at once');
  return success('Order fetch successful', presentOrder(record, order));
}

type PromptRecord = Simulation<Details>['record'];

/**
 * Returns an order as status answers show it. If it was paid more than once, there is an entry for each payment: no source shows what Selcom
 * does then.
 */
function presentOrder(record: PromptRecord, { instrument }: Order): object[] {
  const { reference: order_id, issuedAt, amount, payments, cancelledAt } = instrument;
  const shown = { order_id, creation_date: formatTimestamp(new Date(issuedAt)) };
  const prompt = record.findByReference(order_id);
  const ending = prompt ? record.endingOf(prompt) : null;
  const paid = [
    ...(prompt && ending === 'paid' ? [{ amount, by: paidBy(prompt.mobile, prompt.details.transid, prompt.id) }] : []),
    ...payments.map((payment) => ({ amount: payment.amount, by: paidWithout(payment) })),
  ];
  if (paid.length > 0) return paid.map(({ amount: sum, by }) => ({ ...shown, amount: String(sum), payment_status: STATUSES.paid, ...by }));
  const isOver = cancelledAt !== null || (!prompt && hasExpired(record, instrument));
  return [{ ...shown, amount: String(amount), payment_status: isOver ? 'CANCELLED' : ending === null ? 'PENDING' : STATUSES[ending] }];
}

function hasExpired({ now }: PromptRecord, { expiresAt }: SimulatedInstrument): boolean {
  return expiresAt !== null && expiresAt <= now();
}

function success(message: string, data: readonly object[]): Reply {
  return { status: 200, body: { reference: '', resultcode: '000', result: 'SUCCESS', message, data } };
}

function toWebhook({ reference: order_id, amount }: Pick<Payment, 'reference' | 'amount'>, by: ReturnType<typeof paidBy>) {
  const success = { result: 'SUCCESS', resultcode: '000', payment_status: 'COMPLETED' };
  return { order_id, ...success, amount: String(amount), ...by };
}

function paidBy(mobile: string, transid: string, reference: string) {
  return { transid, channel: 'MPESA-TZ', reference, phone: mobile };
}

/** Describes who paid without a prompt. Then `transid` is an id of the wallet. */
function paidWithout({ receipt, mobile }: InstrumentPayment) {
  return paidBy(mobile, `W${receipt}`, receipt);
}

function refuseParameter(error: z.ZodError): Reply {
  const message = `Parameter ${error.issues[0]?.path.join('.') || 'body'} is invalid or missing`;
  return failure(412, '412', message, describeIssues(error));
}

function newNumber(random: (bytes: number) => Uint8Array, digits: number): string {
  return [...random(digits)].map((byte) => byte % 10).join('');
}

export const API_KEY = 'simulated-key';
export const API_SECRET = 'simulated-secret';

/** Selcom refuses a timestamp that differs too much from its clock. Selcom documents no limit, so this limit is an assumption. */
const MAX_DRIFT_MS = 300_000;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

/** Creates the answer that refuses a request. @param why the reason for `GET /control`; by default the message. */
export function failure(status: number, resultcode: string, message: string, why = message) {
  return { status, body: { reference: '', transid: '', resultcode, result: 'FAIL', message, data: [] }, why };
}

/** Returns the refusal of a request without valid authentication; null if the authentication is valid. */
export function refuseAccess({ method, headers, query, body }: SimulatedRequest, clock: Clock): Reply | null {
  const timestamp = String(headers.timestamp ?? '');
  const drift = TIMESTAMP.test(timestamp) ? Math.abs(clock().getTime() - Date.parse(timestamp)) : Number.POSITIVE_INFINITY;
  if (!(drift <= MAX_DRIFT_MS))
    return failure(401, '401', 'Invalid Timestamp', 'The header Timestamp must be the time now, such as 2026-11-26T12:00:00+03:00');
  if (headers.authorization !== authorizationOf(API_KEY))
    return failure(401, '401', 'Invalid Authorization', 'The header Authorization must be SELCOM and the API key in base64');
  // GET and DELETE send their fields in the query.
  const values = method === 'GET' || method === 'DELETE' ? query : isRecord(body) ? body : {};
  const proven = provenFields(headers, values, API_SECRET);
  const why = 'Digest must be base64 of HMAC-SHA256 over timestamp=… and the Signed-Fields in their order; Digest-Method must be HS256';
  if (headers['digest-method'] !== 'HS256' || !proven) return failure(401, '401', 'Invalid Digest', why);
  const unsigned = Object.keys(values).filter((name) => !proven.includes(name));
  return unsigned.length === 0 ? null : failure(401, '401', `Signed-Fields lacks ${unsigned.join(', ')}`);
}
