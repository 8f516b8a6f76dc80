import { createHmac, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { isRecord } from '@/lib/core/is-record';
import type { Reply, Route, SimulatedRequest } from '@/lib/providers/simulation/server';
import { NO_TOKEN, type Protocol, type Simulation, type SimulationOptions, startSimulation } from '@/lib/providers/simulation/simulation';
import type { AirtelCredentialsInput } from './credentials';
import { readSignedText } from './signing';
import { failure, LETTERS, MESSAGES, refund, showPayment, takePayment } from './simulated-payments';
import { COUNTRY, CURRENCY, ENQUIRY_PATH, KEYS_PATH, paymentPath, refundPath, TOKEN_PATH } from './wire';

const CLIENT_ID = 'simulated-client';
const CLIENT_SECRET = 'simulated-secret';
/** The key of the callbacks' hash. */
const CALLBACK_KEY = 'simulated-callback-key';
const WRONG_CLIENT = 'client_id, client_secret or grant_type is missing or wrong, or the body is not JSON';
const TOKEN_MS = 180_000;
const generate = promisify(generateKeyPair);

type Keys = Awaited<ReturnType<typeof generateKeys>>;

/** Starts a simulator of the Airtel Africa Open API. */
export async function startAirtelSimulator(options: SimulationOptions) {
  const keys = await generateKeys();
  const protocol: Protocol<null> = {
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
  };
  const running = await startSimulation(protocol, { tokenMs: TOKEN_MS, ...options });
  return {
    ...running,
    /** Credentials of a provider account that uses this simulator. */
    credentials: { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, baseUrl: running.url } satisfies AirtelCredentialsInput,
  };
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
