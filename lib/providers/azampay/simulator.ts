import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { isRecord } from '@/lib/platform/core/is-record';
import { type Ending, FAILURE_TEXTS } from '@/lib/providers/kit/behaviours';
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
import type { AzampayCredentialsInput } from './credentials';
import { BANKS, DISBURSE_PATH, disburseSchema, isChecksumOf, PAYOUT_STATUS_PATH } from './payout-wire';
import { CHECKOUT_PATH, pushRequestSchema, STATUS_PATH, TOKEN_PATH, tokenRequestSchema } from './wire';

const APP = { appName: 'Simulated app', clientId: 'simulated-client', clientSecret: 'simulated-secret' } as const;
const API_KEY = 'simulated-api-key';

/** The paths below which the simulator serves the hosts of AzamPay. */
const AUTH = '/authenticator';
const CHECKOUT = '/checkout';
const PAYOUTS = '/disbursement';

interface Details {
  /** The network in lower case. */
  readonly provider: string;
}
type Payment = SimulatedPayment<Details>;

/** The accepted values of the parameter `operator` in a status query, by network. The names for Tigo and Halopesa are not certain. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  airtel: ['airtel'],
  mpesa: ['azampesa'],
  azampesa: ['azampesa'],
  tigo: ['tigo', 'yas'],
  halopesa: ['halopesa', 'halotel'],
};

const UNAUTHORISED: Reply = { status: 401, body: '', headers: { 'www-authenticate': 'Bearer error="invalid_token"' }, why: NO_TOKEN };

const generate = promisify(generateKeyPair);

/** Starts a simulator of AzamPay. The client must have registered a callback address: see `callbackUrl`. */
export async function startAzampaySimulator(options: SimulationOptions) {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 });
  const payouts = {
    key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    account: '1000000164',
    name: 'Simulated shop',
  };
  const protocol = {
    credentials: (url) => ({
      ...APP,
      apiKey: API_KEY,
      authUrl: `${url}${AUTH}`,
      checkoutUrl: `${url}${CHECKOUT}`,
      payoutUrl: `${url}${PAYOUTS}`,
      payouts,
    }),
    tokenPath: `${AUTH}${TOKEN_PATH}`,
    tooManyRequests: { status: 429, body: { success: false, message: 'Too many requests' } },
    // Whether callbacks are repeated is not documented.
    repeatPausesMs: [],
    refusesDuplicates: false,
    callback: (payment, ending, forged) => ({
      body: JSON.stringify(present(payment, ending, forged ? idOfOther(payment) : payment.id)),
    }),
    payoutCallback: (payout) => ({ body: JSON.stringify(presentPayout(payout, payout.behaviour.ending)) }),
    routes: (simulation) => routes(simulation, privateKey),
    wrongAddresses: [
      {
        path: new RegExp(`^(?!(${CHECKOUT}${STATUS_PATH}|${PAYOUTS}${PAYOUT_STATUS_PATH})$).*transactionstatus`, 'i'),
        detail: `the status of a collection is at ${STATUS_PATH} of the checkout host`,
      },
      { path: new RegExp(`^(?!${CHECKOUT}/).*${CHECKOUT_PATH}$`, 'i'), detail: `payment requests belong to the checkout host` },
    ],
  } satisfies Protocol<Details, AzampayCredentialsInput>;
  const running = await startSimulation(protocol, options);

  /**
   * Returns the id for a forged callback: the id of another payment, for which status queries report success. If there is no such payment,
   * returns an invented id.
   */
  function idOfOther({ id }: Payment): string {
    const other = running.payments.find((one) => one.id !== id && one.behaviour.steps.some(({ ending }) => ending === 'paid'));
    return other?.id ?? id.split('').reverse().join('');
  }

  return running;
}

/** Returns a callback as AzamPay sends it in production: unsigned, and without most members that the OpenAPI document requires. */
function present({ reference, amount, mobile, details }: Payment, ending: Ending, id: string) {
  return {
    message: ending === 'paid' ? 'Payment completed' : FAILURE_TEXTS[ending],
    transactionstatus: ending === 'paid' ? 'success' : 'failure',
    operator: details.provider,
    reference: id,
    externalreference: id,
    transid: id,
    utilityref: reference,
    amount: String(amount),
    msisdn: mobile,
    mnoreference: `7K${id.slice(-8).toUpperCase()}`,
  };
}

function routes(simulation: Simulation<Details>, privateKey: KeyObject): readonly Route[] {
  const authorised = (answer: Route['answer']) => (request: SimulatedRequest) =>
    simulation.tokens.admits(request.headers.authorization) ? answer(request) : UNAUTHORISED;
  return [
    { method: 'POST', path: `${AUTH}${TOKEN_PATH}`, answer: (request) => issueToken(simulation, request) },
    { method: 'POST', path: `${CHECKOUT}${CHECKOUT_PATH}`, answer: authorised((request) => takePayment(simulation, request)) },
    { method: 'GET', path: `${CHECKOUT}${STATUS_PATH}`, answer: authorised((request) => showStatus(simulation, request)) },
    { method: 'POST', path: `${PAYOUTS}${DISBURSE_PATH}`, answer: authorised((request) => takePayout(simulation, request, privateKey)) },
    { method: 'GET', path: `${PAYOUTS}${PAYOUT_STATUS_PATH}`, answer: authorised((request) => showPayout(simulation, request)) },
  ];
}

function issueToken({ conduct, tokens, clock }: Simulation<Details>, { headers, body }: SimulatedRequest): Reply {
  // Some public clients send the key only with payment requests.
  if (headers['x-api-key'] !== undefined && headers['x-api-key'] !== API_KEY)
    return { status: 401, body: '', why: 'The header X-API-Key has another value than the apiKey of the credentials' };
  const app = tokenRequestSchema.safeParse(body).data;
  const { appName, clientId, clientSecret } = APP;
  const known = app?.appName === appName && app.clientId === clientId && app.clientSecret === clientSecret;
  if (conduct.tokensFail || !known) {
    const message = 'Provided detail is not valid for this app or secret key has been expired';
    const why = known ? 'POST /control set tokensFail' : 'appName, clientId or clientSecret is missing or not that of the credentials';
    return { status: 423, body: { data: null, message, success: false, statusCode: 423 }, why };
  }
  const expire = new Date(clock().getTime() + tokens.lifeMs).toISOString();
  const data = { accessToken: tokens.issue(), expire };
  return { status: 200, body: { data, message: 'Token generated successfully', success: true, statusCode: 200 } };
}

function problem(errors: Readonly<Record<string, readonly string[]>>): Reply {
  const title = 'One or more validation errors occurred.';
  const why = Object.entries(errors)
    .map(([member, messages]) => `${member || 'body'}: ${messages.join(', ')}`)
    .join('; ');
  return { status: 400, body: { type: 'https://tools.ietf.org/html/rfc7231#section-6.5.1', title, status: 400, errors }, why };
}

async function takePayment(simulation: Simulation<Details>, { body }: SimulatedRequest): Promise<Reply> {
  const { record, conduct, complaints, random } = simulation;
  const refuse = (message: string): Reply => ({ status: 200, body: { transactionId: null, message, success: false }, why: message });
  if (conduct.suspended) return refuse('Vendor is suspended');
  const parsed = pushRequestSchema.safeParse(body);
  if (!parsed.success) return problem(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), [message]])));
  const { externalId: reference, accountNumber: mobile, amount, provider } = parsed.data;
  if (record.findByReference(reference)) {
    complaints.add('repeated_request', reference, 'No document says that AzamPay refuses an externalId that it knows.');
    return problem({ externalId: ['Duplicate external id'] });
  }
  const id = Buffer.from(random(16)).toString('hex');
  return simulation.take(
    { reference, id, mobile, amount: Number(amount), details: { provider: provider.toLowerCase() } },
    {
      accepted: () => ({ status: 200, body: { transactionId: id, message: 'Your request has been received', success: true } }),
      refused: (refusal) =>
        refuse(refusal === 'limit_exceeded' ? 'Transaction limit exceeded' : 'Number is not registered for mobile money'),
    },
  );
}

function showStatus({ record }: Simulation<Details>, { query }: SimulatedRequest): Reply {
  const { pgReferenceId = '', operator = '' } = query;
  const named = record.findById(pgReferenceId);
  const fits = named && OPERATORS[named.details.provider]?.includes(operator.toLowerCase());
  const payment = record.query(fits ? named : undefined);
  if (!payment) {
    const known = named ? `the payment belongs to another operator than "${operator}"` : 'there is no payment with this pgReferenceId';
    const why = payment === undefined && fits ? 'Status queries do not find a new payment at once' : known;
    return { status: 404, body: { data: null, success: false, message: 'Transaction not found', statusCode: 404 }, why };
  }
  const ending = record.endingOf(payment);
  const status = record.isReversed(payment) ? 'Reversed' : ending === null ? 'Pending' : ending === 'paid' ? 'Success' : 'Failure';
  const reason = ending === null || ending === 'paid' ? null : FAILURE_TEXTS[ending];
  // AzamPay's production API has answered `success: false` although it found the payment.
  const success = status === 'Success';
  const data = { status, pgReferenceId, operator, timeStamp: new Date(record.now()).toISOString(), reasonOfTransactionFailure: reason };
  return { status: 200, body: { data, success, message: `Transaction is ${status}`, statusCode: 200 } };
}

/** How old the time in a request for a payout may be. AzamPay does not document it. */
const EXPIRES_MS = 5 * 60_000;

function takePayout(
  { payouts, conduct, random, clock, takePayout }: Simulation<Details>,
  { body, text }: SimulatedRequest,
  key: KeyObject,
): Reply {
  const refuse = (status: number, message: string): Reply => ({
    status,
    body: { pgReferenceId: null, message, success: false, statusCode: status },
    why: message,
  });
  if (conduct.suspended) return refuse(403, 'Vendor is suspended');
  const request = disburseSchema.safeParse(body);
  if (!request.success) return refuse(400, describeIssues(request.error));
  const { destination, transferDetails, externalReferenceId: reference } = request.data;
  if (!Object.values(BANKS).includes(destination.bankName)) return refuse(400, 'Invalid BankName.');
  if (!isRecord(body) || !isChecksumOf(body.checksum, request.data, key)) return refuse(400, 'Invalid checksum');
  if (Math.abs(clock().getTime() - transferDetails.dateInEpoch * 1_000) > EXPIRES_MS) return refuse(402, 'Request expired');
  if (payouts.find({ reference })) return refuse(403, 'Duplicate External Reference Id');
  const id = Buffer.from(random(16)).toString('hex');
  return takePayout(
    { reference, id, mobile: destination.accountNumber, amount: transferDetails.amount, callbackUrl: null, text },
    {
      accepted: () => ({
        status: 200,
        body: { pgReferenceId: id, message: 'Your transaction is in process', success: true, statusCode: 200 },
      }),
      refused: refuse(400, 'Insufficient balance'),
    },
  );
}

function showPayout({ payouts, record, complaints }: Simulation<Details>, { query }: SimulatedRequest): Reply {
  const { pgReferenceId = '', bankName = '' } = query;
  const payout = payouts.find({ id: pgReferenceId });
  if (record.findById(pgReferenceId))
    complaints.add('wrong_address', null, `the status of a collection is at ${STATUS_PATH} of the checkout host`);
  if (!payout || bankOf(payout) !== bankName) {
    const why = payout ? `the payout is to another bank than "${bankName}"` : 'there is no payout with this pgReferenceId';
    return { status: 404, body: { pgReferenceId, success: false, message: 'Transaction not found', statusCode: 404 }, why };
  }
  return { status: 200, body: { ...presentPayout(payout, payouts.endingOf(payout)), success: true, statusCode: 200 } };
}

function bankOf({ text }: SimulatedPayout): string {
  return disburseSchema.parse(JSON.parse(text)).destination.bankName;
}

function presentPayout(payout: SimulatedPayout, ending: 'paid' | 'failed' | null) {
  const status = ending === 'paid' ? 'success' : ending === 'failed' ? 'failure' : 'pending';
  return {
    initiatorReferenceId: payout.reference,
    pgReferenceId: payout.id,
    fspReferenceId: `SBX-${payout.id.slice(-8).toUpperCase()}`,
    amount: String(payout.amount),
    status,
    message: status === 'failure' ? 'The account of the payee is barred' : null,
    operator: bankOf(payout),
    additionalProperties: {},
  };
}
