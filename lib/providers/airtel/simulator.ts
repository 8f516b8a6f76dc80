import { createHmac, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { isRecord } from '@/lib/platform/core/is-record';
import type { Ending } from '@/lib/providers/kit/behaviours';
import type { SimulatedPayout } from '@/lib/providers/kit/payouts';
import type { Reply, Route, SimulatedRequest } from '@/lib/providers/kit/server';
import {
  describeIssues,
  NO_TOKEN,
  type Protocol,
  type Simulation,
  type SimulationOptions,
  startSimulation,
} from '@/lib/providers/kit/simulation';
import type { AirtelCredentialsInput } from './adapter';
import {
  COUNTRY,
  CURRENCY,
  decrypt,
  ENQUIRY_PATH,
  KEYS_PATH,
  paymentPath,
  paymentRequestSchema,
  payoutPath,
  payoutRequestSchema,
  readSignedText,
  refundPath,
  refundRequestSchema,
  TOKEN_PATH,
} from './wire';

const CLIENT_ID = 'simulated-client';
const CLIENT_SECRET = 'simulated-secret';
/** The key of the callbacks' hash. */
const CALLBACK_KEY = 'simulated-callback-key';
/** The PIN of the merchant's wallet. */
const PIN = '1234';
const WRONG_CLIENT = 'client_id, client_secret or grant_type is missing or wrong, or the body is not JSON';
const TOKEN_MS = 180_000;
const generate = promisify(generateKeyPair);

type Keys = Awaited<ReturnType<typeof generateKeys>>;

/** Starts a simulator of the Airtel Africa Open API. */
export async function startAirtelSimulator(options: SimulationOptions) {
  const keys = await generateKeys();
  const protocol = {
    credentials: (url) => ({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, baseUrl: url, payoutPin: PIN, payoutKey: keys.publicText }),
    tokenPath: TOKEN_PATH,
    tooManyRequests: { status: 429, body: { status: { code: '429', message: 'Too Many Requests', success: false } } },
    repeatPausesMs: [],
    callback({ reference, id, amount }, ending, forged) {
      // Airtel does not promise a callback for a prompt that the customer does not answer.
      if (ending === 'expired') return null;
      const transaction = {
        id: reference,
        message: ending === 'paid' ? `Paid TZS ${amount.toLocaleString('en')} to SHOP, Trans ID ${id}.` : MESSAGES[ending],
        status_code: LETTERS[ending],
        airtel_money_id: id,
      };
      const hash = createHmac('sha256', forged ? 'another key' : CALLBACK_KEY)
        .update(JSON.stringify({ transaction }))
        .digest('base64');
      return { body: JSON.stringify({ transaction, hash }) };
    },
    routes: (simulation) => routes(simulation, keys),
    wrongAddresses: [{ path: /^\/merchant\/v[12]\/payments\/[^/]+$/, detail: `enquiries are at ${ENQUIRY_PATH}/{transaction.id}` }],
  } satisfies Protocol<null, AirtelCredentialsInput>;
  return startSimulation(protocol, { tokenMs: TOKEN_MS, ...options });
}

async function generateKeys() {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 });
  return { privateKey, publicText: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') };
}

function routes(simulation: Simulation<null>, keys: Keys): readonly Route[] {
  const admitted = (answer: Route['answer']) => (request: SimulatedRequest) => refusalOf(simulation, request) ?? answer(request);
  /** In version 2 of the API, messages must be signed. */
  const signed = (answer: Route['answer']) =>
    admitted((request) =>
      readSignedText(request.headers, keys.privateKey) === request.text
        ? answer(request)
        : failure(
            'DP00800001026',
            'Signature does not match',
            'x-signature and x-key do not contain this body, encrypted with the key of /v1/rsa',
          ),
    );
  const pay = (request: SimulatedRequest) => takePayment(simulation, request);
  const giveBack = (request: SimulatedRequest) => refund(simulation, request);
  const payOut = (request: SimulatedRequest) => takePayout(simulation, keys, request);
  const showPaidOut = admitted((request) => showPayout(simulation, request));
  const withoutSlash = (path: string) => path.replace(/\/$/, '');
  return [
    { method: 'POST', path: TOKEN_PATH, answer: (request) => issueToken(simulation, request) },
    { method: 'GET', path: KEYS_PATH, answer: admitted(() => showKey(simulation, keys)) },
    { method: 'POST', path: paymentPath('v1'), answer: admitted(pay) },
    { method: 'POST', path: withoutSlash(paymentPath('v1')), answer: admitted(pay) },
    { method: 'POST', path: paymentPath('v2'), answer: signed(pay) },
    { method: 'POST', path: withoutSlash(paymentPath('v2')), answer: signed(pay) },
    { method: 'POST', path: refundPath('v1'), answer: admitted(giveBack) },
    { method: 'POST', path: refundPath('v2'), answer: signed(giveBack) },
    { method: 'POST', path: payoutPath('v1'), answer: admitted(payOut) },
    { method: 'POST', path: payoutPath('v2'), answer: signed(payOut) },
    { method: 'GET', path: `${payoutPath('v1')}:id`, answer: showPaidOut },
    { method: 'GET', path: `${payoutPath('v2')}:id`, answer: showPaidOut },
    { method: 'GET', path: `${ENQUIRY_PATH}/:id`, answer: admitted((request) => showPayment(simulation, request)) },
  ];
}

function authError(error: string, error_description: string, why: string): Reply {
  return { status: 401, body: { error, error_description }, why };
}

function issueToken({ conduct, tokens }: Simulation<null>, { body }: SimulatedRequest): Reply {
  const given = isRecord(body) ? body : {};
  const isKnown = given.client_id === CLIENT_ID && given.client_secret === CLIENT_SECRET && given.grant_type === 'client_credentials';
  if (conduct.tokensFail || !isKnown)
    return authError('invalid_client', 'Invalid client authentication', isKnown ? 'POST /control set tokensFail' : WRONG_CLIENT);
  return { status: 200, body: { token_type: 'bearer', access_token: tokens.issue(), expires_in: String(tokens.lifeMs / 1_000) } };
}

/** Returns the answer to a request that lacks a valid token, country or currency; null if the request has all three. */
function refusalOf({ tokens }: Simulation<null>, { headers, text }: SimulatedRequest): Reply | null {
  if (!tokens.admits(headers.authorization)) return authError('invalid_token', 'The access token is invalid or has expired', NO_TOKEN);
  if (headers['x-country'] !== COUNTRY)
    return failure('ROUTER003', 'Mandatory parameters are missing either in the header or body', `X-Country must be ${COUNTRY}`);
  if (headers['x-currency'] !== CURRENCY) return failure('ROUTER119', 'Currency is missing or invalid', `X-Currency must be ${CURRENCY}`);
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '');
  return text !== '' && !isJson ? failure('ESB000008', 'Content-Type must be application/json') : null;
}

function showKey({ clock }: Simulation<null>, { publicText }: Keys): Reply {
  const validTo = new Date(clock().getTime() + 30 * 86_400_000).toISOString();
  const [, year, month, day, time] = /^(\d+)-(\d+)-(\d+)T([\d:]+)/.exec(validTo) ?? [];
  return {
    status: 200,
    body: {
      data: { key_id: 1, key: publicText, valid_upto: `${day}-${month}-${year} ${time}` },
      status: { code: '200', message: 'Success', response_code: 'DP00800001027', result_code: 'ESB000010', success: true },
    },
  };
}

/** The states of a payment in answers to status queries and in callbacks. */
export const LETTERS: Readonly<Record<Ending, string>> = {
  paid: 'TS',
  cancelled: 'TF',
  wrong_pin: 'TF',
  insufficient_funds: 'TF',
  internal_error: 'TF',
  expired: 'TE',
};
export const MESSAGES: Readonly<Record<Ending, string>> = {
  paid: 'Success',
  cancelled: 'Transaction cancelled by the customer',
  wrong_pin: 'Incorrect PIN',
  insufficient_funds: 'Not enough balance',
  internal_error: 'Something Went Wrong',
  expired: 'Transaction expired',
};
const CODES: Readonly<Record<Ending, string>> = {
  paid: 'DP00800001006',
  cancelled: 'DP00800001008',
  wrong_pin: 'DP00800001002',
  insufficient_funds: 'DP00800001007',
  internal_error: 'DP00800001005',
  expired: 'DP00800001029',
};
const IN_PROCESS = 'DP00800001006';

/** Creates the answer that refuses a request. @param why the reason for `GET /control`; by default the message. */
export function failure(code: string, message: string, why = message): Reply {
  const member = code.startsWith('DP') ? 'response_code' : 'result_code';
  return { status: 400, body: { status: { [member]: code, code: '400', success: false, message } }, why };
}

function success(transaction: object, response_code: string): Reply {
  const status = { code: '200', message: 'SUCCESS', result_code: 'ESB000010', response_code, success: true };
  return { status: 200, body: { data: { transaction }, status } };
}

export async function takePayment(simulation: Simulation<null>, { body }: SimulatedRequest): Promise<Reply> {
  const { record, conduct, random, clock } = simulation;
  if (conduct.suspended) return failure('ESB000039', 'Vendor is not configured to do transaction in the country TZ');
  const parsed = paymentRequestSchema.safeParse(body);
  if (!parsed.success) return failure('ESB000008', describeIssues(parsed.error));
  const { subscriber, transaction } = parsed.data;
  const { id: reference, amount } = transaction;
  // Nine digits, without 255 and without 0.
  if (!/^[67]\d{8}$/.test(subscriber.msisdn))
    return failure('DP00800001005', 'Msisdn Not Found', 'subscriber.msisdn must be nine digits, without 255 and without 0: 712345678');
  if (record.findByReference(reference)) return failure('ESB000041', 'External Transaction ID already exists.');
  return simulation.take(
    { reference, id: newReceipt(clock(), random(5)), mobile: subscriber.msisdn, amount, details: null },
    {
      // The portal's own sample has `false` as id.
      accepted: () => success({ id: false, status: 'SUCCESS' }, IN_PROCESS),
      refused: (refusal) =>
        refusal === 'limit_exceeded'
          ? failure('DP00800001003', 'Exceeds withdrawal amount limit')
          : failure('DP00800001005', 'Msisdn Not Found'),
    },
  );
}

export function showPayment({ record }: Simulation<null>, { params }: SimulatedRequest): Reply {
  const payment = record.query(record.findByReference(params.id ?? ''));
  if (!payment) return failure('DP00800001025', 'Transaction not found');
  const { reference: id, id: airtel_money_id } = payment;
  const ending = record.endingOf(payment);
  if (ending === null) return success({ id, status: 'TIP', message: 'Transaction in progress' }, IN_PROCESS);
  if (ending === 'paid') {
    const status = record.isReversed(payment) ? 'TR' : 'TS';
    return success({ id, status, message: MESSAGES.paid, airtel_money_id }, CODES.paid);
  }
  // As in the portal's sample, the answer about a failed payment has HTTP 200, `success: false`, and a receipt number.
  const transaction = { id, status: LETTERS[ending], message: MESSAGES[ending], airtel_money_id };
  return {
    status: 200,
    body: { data: { transaction }, status: { response_code: CODES[ending], code: '200', success: false, message: 'FAILED' } },
  };
}

export function refund(simulation: Simulation<null>, { body }: SimulatedRequest): Reply {
  const { record } = simulation;
  const parsed = refundRequestSchema.safeParse(body);
  if (!parsed.success) return failure('ESB000008', 'transaction.airtel_money_id is required');
  const { airtel_money_id } = parsed.data.transaction;
  const payment = record.findById(airtel_money_id);
  if (!payment || record.endingOf(payment) !== 'paid') return failure('ESB000045', 'No Transaction Found With Provided Transaction Id.');
  if (record.isReversed(payment)) return failure('ESB000011', 'Transaction was already refunded');
  return simulation.takeReversal(payment, {
    accepted(done) {
      const transaction = { airtel_money_id, status: 'SUCCESS' };
      if (done) return success(transaction, IN_PROCESS);
      // The portal's own sample has this contradiction.
      return {
        status: 200,
        body: { data: { transaction }, status: { code: '200', message: 'SUCCESS', result_code: 'ESB000010', success: false } },
      };
    },
    refused: failure('ESB000039', 'Vendor is not configured to refund'),
  });
}

/** The number of the first payout. */
const FIRST_PAYOUT = 1_866_453_354;
const PAYOUT_STATES = { paid: ['TS', 'DP00900001001'], failed: ['TF', 'DP00900001012'], open: ['TIP', 'DP00900001006'] } as const;

export function takePayout(simulation: Simulation<null>, { privateKey }: Keys, { body, text }: SimulatedRequest): Reply {
  const { payouts } = simulation;
  const parsed = payoutRequestSchema.safeParse(body);
  if (!parsed.success) return failure('ESB000008', describeIssues(parsed.error));
  const { payee, pin, transaction } = parsed.data;
  if (decrypt(pin, privateKey) !== PIN)
    return failure('ROUTER115', 'Invalid PIN', 'pin must be the PIN of the wallet, encrypted with payoutKey (RSA, PKCS #1) in base64');
  if (!/^[67]\d{8}$/.test(payee.msisdn))
    return failure('DP00900001012', 'Invalid Mobile Number', 'payee.msisdn must be nine digits, without 255 and without 0: 712345678');
  if (payouts.find({ reference: transaction.id })) return failure('DP00900001017', 'Duplicate Transaction Id');
  const id = String(FIRST_PAYOUT + payouts.list.length);
  return simulation.takePayout(
    { reference: transaction.id, id, mobile: payee.msisdn, amount: transaction.amount, callbackUrl: null, text },
    { accepted: (payout) => presentPayout(simulation, payout), refused: failure('DP00900001013', 'The transaction was refused') },
  );
}

function showPayout(simulation: Simulation<null>, { params, query }: SimulatedRequest): Reply {
  if (query.transactionType !== 'B2C') return failure('ESB000008', 'transactionType must be B2C');
  const payout = simulation.payouts.find({ reference: params.id ?? '' });
  return payout ? presentPayout(simulation, payout) : failure('DP00900001015', 'Transaction Not Found');
}

function presentPayout({ payouts }: Simulation<null>, payout: SimulatedPayout): Reply {
  const ending = payouts.endingOf(payout);
  const [status, response_code] = PAYOUT_STATES[ending ?? 'open'];
  const { reference, id } = payout;
  const transaction = { id: reference, reference_id: id, airtel_money_id: `disbursement-${id}-${reference}`, status };
  if (ending !== 'failed') return success(transaction, response_code);
  return { status: 200, body: { data: { transaction }, status: { response_code, code: '200', success: false, message: 'FAILED' } } };
}

/** Returns a receipt number such as `MP261123.1426.A1B2C3D4E5`. */
function newReceipt(now: Date, random: Uint8Array): string {
  const [, day = '', hour, minute] = /^\d\d(\S+)T(\d+):(\d+)/.exec(now.toISOString()) ?? [];
  return `MP${day.replaceAll('-', '')}.${hour}${minute}.${Buffer.from(random).toString('hex').toUpperCase()}`;
}
