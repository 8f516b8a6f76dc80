import { isRecord } from '@/lib/platform/core/is-record';
import { type Ending, FAILURE_TEXTS } from '@/lib/providers/kit/behaviours';
import type { InstrumentPayment, SimulatedInstrument } from '@/lib/providers/kit/instruments';
import type { SimulatedPayout } from '@/lib/providers/kit/payouts';
import type { SimulatedPayment } from '@/lib/providers/kit/record';
import type { Reply, Route, SimulatedRequest } from '@/lib/providers/kit/server';
import {
  describeIssues,
  NO_TOKEN,
  type Protocol,
  type Simulation,
  type SimulationOptions,
  startSimulation,
} from '@/lib/providers/kit/simulation';
import type { ClickpesaCredentialsInput } from './adapter';
import {
  BILLPAY_PATH,
  CUSTOMER_NUMBER_PATH,
  changeSchema,
  customerNumberRequestSchema,
  ORDER_NUMBER_PATH,
  orderNumberRequestSchema,
} from './billpay-wire';
import {
  checksumOf,
  fits,
  PAYMENTS_PATH,
  PAYOUT_PATH,
  PAYOUTS_PATH,
  PUSH_PATH,
  payoutRequestSchema,
  pushRequestSchema,
  TOKEN_PATH,
} from './wire';

const CLIENT_ID = 'IDsimulated';
const API_KEY = 'SKsimulated';
const WRONG_CLIENT = 'The headers client-id and api-key must be those of the credentials';
const CHECKSUM_KEY = 'CHKsimulated';
/** The first digits of the merchant's control numbers. */
const BILLPAY_NUMBER = '1122';

const messageOf = (ending: Ending) => (ending === 'paid' ? 'Payment received' : FAILURE_TEXTS[ending]);

/** Returns the status of a payment that has ended. */
const statusOf = (ending: Ending) => (ending === 'paid' ? 'SUCCESS' : 'FAILED');

/** Creates the answer that refuses a request. @param why the reason for `GET /control`; by default the message. */
function failure(statusCode: number, message: string, why = message) {
  return { status: statusCode, body: { message, error: 'Error', statusCode }, why };
}

/** Starts a simulator of ClickPesa. */
export async function startClickpesaSimulator(options: SimulationOptions) {
  const protocol = {
    credentials: (url) => ({
      clientId: CLIENT_ID,
      apiKey: API_KEY,
      checksumKey: CHECKSUM_KEY,
      payouts: true,
      billPayNumber: BILLPAY_NUMBER,
      baseUrl: url,
    }),
    tokenPath: TOKEN_PATH,
    tooManyRequests: failure(429, 'Too Many Requests'),
    repeatPausesMs: [],
    callback(payment, ending, forged) {
      const message = {
        event: ending === 'paid' ? 'PAYMENT RECEIVED' : 'PAYMENT FAILED',
        data: present(payment, statusOf(ending), ending),
      };
      return { body: signed(message, forged ? 'another key' : CHECKSUM_KEY) };
    },
    payoutCallback(payout) {
      const isPaid = payout.behaviour.ending === 'paid';
      const data = presentPayout(payout, isPaid ? 'SUCCESS' : 'REVERSED');
      return { body: signed({ event: isPaid ? 'PAYOUT INITIATED' : 'PAYOUT REVERSED', data }) };
    },
    instrumentCallback: (instrument, payment) => ({
      body: signed({ event: 'PAYMENT RECEIVED', data: presentInstrumentPayment(instrument, payment) }),
    }),
    routes,
    wrongAddresses: [{ path: /\/payments\/(query|status)\b/, detail: 'payments are at /third-parties/payments/{orderReference}' }],
  } satisfies Protocol<null, ClickpesaCredentialsInput>;
  return startSimulation(protocol, options);
}

function signed(message: Readonly<Record<string, unknown>>, key = CHECKSUM_KEY): string {
  return JSON.stringify({ ...message, checksum: checksumOf(message, key), checksumMethod: 'canonical' });
}

function routes(simulation: Simulation<null>): readonly Route[] {
  const authorised = (answer: Route['answer']) => (request: SimulatedRequest) =>
    simulation.tokens.admits(request.headers.authorization) ? answer(request) : failure(401, 'Unauthorized', NO_TOKEN);
  const bills: Bills = new Map();
  return [
    { method: 'POST', path: TOKEN_PATH, answer: (request) => issueToken(simulation, request) },
    { method: 'POST', path: PUSH_PATH, answer: authorised((request) => takePayment(simulation, request)) },
    { method: 'GET', path: `${PAYMENTS_PATH}/:reference`, answer: authorised((request) => showPayment(simulation, request)) },
    { method: 'POST', path: ORDER_NUMBER_PATH, answer: authorised((request) => takeNumber(simulation, bills, request, false)) },
    { method: 'POST', path: CUSTOMER_NUMBER_PATH, answer: authorised((request) => takeNumber(simulation, bills, request, true)) },
    { method: 'GET', path: `${BILLPAY_PATH}/:number`, answer: authorised((request) => showNumber(simulation, bills, request)) },
    { method: 'PATCH', path: `${BILLPAY_PATH}/:number`, answer: authorised((request) => changeNumber(simulation, bills, request)) },
    { method: 'POST', path: PAYOUT_PATH, answer: authorised((request) => takePayout(simulation, request)) },
    { method: 'GET', path: `${PAYOUTS_PATH}/:reference`, answer: authorised((request) => showPayout(simulation, request)) },
  ];
}

function issueToken({ conduct, tokens }: Simulation<null>, { headers }: SimulatedRequest): Reply {
  if (conduct.tokensFail || headers['client-id'] !== CLIENT_ID || headers['api-key'] !== API_KEY)
    return failure(401, 'Invalid client or API key', conduct.tokensFail ? 'POST /control set tokensFail' : WRONG_CLIENT);
  return { status: 200, body: { success: true, token: `Bearer ${tokens.issue()}` } };
}

const INVALID_CHECKSUM = failure(400, 'Invalid checksum', 'checksum must be HMAC-SHA256 over the canonical JSON of the body');

function isSigned(body: unknown, checksum: string | undefined): boolean {
  return isRecord(body) && fits(body, checksum, CHECKSUM_KEY, 'canonical');
}

async function takePayment(simulation: Simulation<null>, { body }: SimulatedRequest): Promise<Reply> {
  const { record, conduct, random } = simulation;
  if (conduct.suspended) return failure(404, 'USSD push is not available for this application');
  const parsed = pushRequestSchema.safeParse(body);
  if (!parsed.success) return failure(400, describeIssues(parsed.error));
  const { orderReference: reference, phoneNumber: mobile, amount, checksum } = parsed.data;
  if (!isSigned(body, checksum)) return INVALID_CHECKSUM;
  if (record.findByReference(reference)) return failure(409, 'orderReference was already used');
  const id = `LCP${Buffer.from(random(8)).toString('hex').toUpperCase()}`;
  return simulation.take(
    { reference, id, mobile, amount: Number(amount), details: null },
    {
      accepted: (payment) => ({ status: 200, body: present(payment, 'PROCESSING', null) }),
      refused: (refusal) =>
        failure(400, refusal === 'limit_exceeded' ? 'Transaction limit exceeded' : 'Phone number is not registered for mobile money'),
    },
  );
}

function showPayment({ record, instruments }: Simulation<null>, { params }: SimulatedRequest): Reply {
  const instrument = instruments.find('number', params.reference ?? '');
  if (instrument?.payments.length)
    return { status: 200, body: instrument.payments.map((payment) => presentInstrumentPayment(instrument, payment)) };
  const payment = record.query(record.findByReference(params.reference ?? ''));
  if (!payment) return failure(404, 'Payment not found');
  const ending = record.endingOf(payment);
  const reversed = ending === 'paid' && record.isReversed(payment);
  return { status: 200, body: [present(payment, reversed ? 'REVERSED' : ending === null ? 'PROCESSING' : statusOf(ending), ending)] };
}

function present({ id, reference, amount, mobile }: SimulatedPayment<null>, status: string, ending: Ending | null) {
  return {
    id,
    status,
    orderReference: reference,
    collectedAmount: ending === 'paid' ? String(amount) : '0',
    collectedCurrency: 'TZS',
    channel: 'M-PESA',
    message: ending === null ? 'Waiting for the customer' : messageOf(ending),
    customer: { customerName: 'ASHA JUMA', customerPhoneNumber: mobile },
    clientId: CLIENT_ID,
    ...(ending === 'paid' && { paymentReference: `7K${id.slice(-6)}` }),
  };
}

/** What the merchant has said about each control number. */
type Bills = Map<string, { readonly billDescription: string; readonly billPaymentMode: string; readonly billCustomerName?: string }>;

function takeNumber(simulation: Simulation<null>, bills: Bills, { body }: SimulatedRequest, ofCustomer: boolean): Reply {
  const { instruments, conduct } = simulation;
  if (conduct.suspended) return failure(404, 'BillPay is not available for this application');
  const parsed = (ofCustomer ? customerNumberRequestSchema : orderNumberRequestSchema).safeParse(body);
  if (!parsed.success) return failure(400, describeIssues(parsed.error));
  const { billReference: number, billAmount: amount, billDescription, billPaymentMode, checksum } = parsed.data;
  if (!isSigned(body, checksum)) return INVALID_CHECKSUM;
  if (!number.startsWith(BILLPAY_NUMBER)) return failure(400, `billReference must begin with ${BILLPAY_NUMBER}`);
  if (instruments.find('number', number)) return failure(409, 'billReference was already used');
  const customer = 'customerName' in parsed.data ? { billCustomerName: parsed.data.customerName } : {};
  bills.set(number, { billDescription, billPaymentMode, ...customer });
  const reference = /[A-Z0-9]{20}/.exec(billDescription)?.[0] ?? number;
  const takes = ofCustomer ? 'open' : 'exact';
  return simulation.issueInstrument(
    { reference, id: number, number, qr: null, link: null, amount, takes, callbackUrl: null, expiresAt: null },
    { accepted: (instrument) => ({ status: 200, body: presentNumber(instrument, bills) }), refused: failure(400, 'The bill is invalid') },
  );
}

function showNumber({ instruments }: Simulation<null>, bills: Bills, { params }: SimulatedRequest): Reply {
  const instrument = instruments.find('number', params.number ?? '');
  return instrument ? { status: 200, body: presentNumber(instrument, bills) } : failure(404, 'BillPay number not found');
}

function changeNumber({ instruments, record }: Simulation<null>, bills: Bills, { params, body }: SimulatedRequest): Reply {
  const instrument = instruments.find('number', params.number ?? '');
  if (!instrument) return failure(404, 'BillPay number not found');
  const parsed = changeSchema.safeParse(body);
  if (!parsed.success) return failure(400, describeIssues(parsed.error));
  const { billStatus, billAmount, checksum } = parsed.data;
  if (!isSigned(body, checksum)) return INVALID_CHECKSUM;
  if (billStatus === 'INACTIVE') instrument.cancelledAt ??= record.now();
  if (billStatus === 'ACTIVE') instrument.cancelledAt = null;
  if (billAmount !== undefined) instrument.amount = billAmount;
  const status = instrument.cancelledAt === null ? 'ACTIVE' : 'INACTIVE';
  return { status: 200, body: { ...presentNumber(instrument, bills), billStatus: status } };
}

/** The documentation shows no status of a control number, except in the answer to a change. */
function presentNumber({ number, amount }: SimulatedInstrument, bills: Bills) {
  return { billPayNumber: number, ...bills.get(number ?? ''), billAmount: amount };
}

/** The documentation says that a webhook contains the control number. That it is `orderReference` is an assumption. */
function presentInstrumentPayment({ number }: SimulatedInstrument, { receipt, amount, mobile }: InstrumentPayment) {
  return {
    id: receipt,
    status: 'SUCCESS',
    orderReference: number,
    paymentReference: `7K${receipt}`,
    collectedAmount: String(amount),
    collectedCurrency: 'TZS',
    channel: 'M-PESA',
    message: messageOf('paid'),
    customer: { customerName: 'ASHA JUMA', customerPhoneNumber: mobile },
    clientId: CLIENT_ID,
  };
}

function takePayout({ payouts, conduct, random, takePayout }: Simulation<null>, { body, text }: SimulatedRequest): Reply {
  if (conduct.suspended) return failure(404, 'Payouts are not available for this application');
  const parsed = payoutRequestSchema.safeParse(body);
  if (!parsed.success) return failure(400, describeIssues(parsed.error));
  const { orderReference: reference, phoneNumber: mobile, amount, checksum } = parsed.data;
  if (!isSigned(body, checksum)) return INVALID_CHECKSUM;
  if (payouts.find({ reference })) return failure(409, 'orderReference was already used');
  const id = `PAY${Buffer.from(random(8)).toString('hex').toUpperCase()}`;
  return takePayout(
    { reference, id, mobile, amount, callbackUrl: null, text },
    {
      accepted: (payout) => ({ status: 200, body: presentPayout(payout, 'AUTHORIZED') }),
      refused: failure(400, 'Insufficient balance'),
    },
  );
}

function showPayout({ payouts }: Simulation<null>, { params }: SimulatedRequest): Reply {
  const payout = payouts.find({ reference: params.reference ?? '' });
  if (!payout) return failure(404, 'Payout not found');
  const ending = payouts.endingOf(payout);
  return { status: 200, body: [presentPayout(payout, ending === null ? 'PROCESSING' : ending === 'paid' ? 'SUCCESS' : 'REVERSED')] };
}

const FEE = 47;

function presentPayout({ id, reference, amount, mobile }: SimulatedPayout, status: string) {
  return {
    id,
    status,
    orderReference: reference,
    amount: `${amount + FEE}.00`,
    currency: 'TZS',
    fee: `${FEE}.00`,
    channel: 'MOBILE MONEY',
    channelProvider: 'MPESA TANZANIA',
    ...(status === 'REVERSED' && { notes: 'The payout failed' }),
    beneficiary: { accountNumber: mobile, accountName: 'ASHA JUMA' },
    clientId: CLIENT_ID,
  };
}
