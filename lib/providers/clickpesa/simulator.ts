import { isRecord } from '@/lib/core/is-record';
import type { Ending } from '@/lib/providers/simulation/behaviours';
import type { SimulatedPayment } from '@/lib/providers/simulation/record';
import type { Reply, Route, SimulatedRequest } from '@/lib/providers/simulation/server';
import {
  describeIssues,
  NO_TOKEN,
  type Protocol,
  type Simulation,
  type SimulationOptions,
  startSimulation,
} from '@/lib/providers/simulation/simulation';
import { checksumOf, fits } from './checksum';
import type { ClickpesaCredentialsInput } from './credentials';
import { PAYMENTS_PATH, PUSH_PATH, pushRequestSchema, TOKEN_PATH } from './wire';

const CLIENT_ID = 'IDsimulated';
const API_KEY = 'SKsimulated';
const WRONG_CLIENT = 'The headers client-id and api-key must be those of the credentials';
const CHECKSUM_KEY = 'CHKsimulated';

const STATUSES: Readonly<Record<Ending, string>> = {
  paid: 'SUCCESS',
  cancelled: 'FAILED',
  wrong_pin: 'FAILED',
  insufficient_funds: 'FAILED',
  internal_error: 'FAILED',
  expired: 'FAILED',
};
const MESSAGES: Readonly<Record<Ending, string>> = {
  paid: 'Payment received',
  cancelled: 'Transaction was cancelled by the customer',
  wrong_pin: 'Customer entered a wrong PIN',
  insufficient_funds: 'Insufficient balance',
  internal_error: 'Internal error',
  expired: 'Transaction timed out',
};

/** Creates the answer that refuses a request. @param why the reason for `GET /control`; by default the message. */
function failure(statusCode: number, message: string, why = message) {
  return { status: statusCode, body: { message, error: 'Error', statusCode }, why };
}

/** Starts a simulator of ClickPesa. */
export async function startClickpesaSimulator(options: SimulationOptions) {
  const protocol: Protocol<null> = {
    tokenPath: TOKEN_PATH,
    tooManyRequests: failure(429, 'Too Many Requests'),
    repeatPausesMs: [],
    callback(payment, ending, forged) {
      const message = {
        event: ending === 'paid' ? 'PAYMENT RECEIVED' : 'PAYMENT FAILED',
        data: present(payment, STATUSES[ending], ending),
      };
      const checksum = checksumOf(message, forged ? 'another key' : CHECKSUM_KEY);
      return { body: JSON.stringify({ ...message, checksum, checksumMethod: 'canonical' }) };
    },
    routes,
    wrongAddresses: [{ path: /\/payments\/(query|status)\b/, detail: 'payments are at /third-parties/payments/{orderReference}' }],
  };
  const running = await startSimulation(protocol, options);
  return {
    ...running,
    /** Credentials of a provider account that uses this simulator. */
    credentials: {
      clientId: CLIENT_ID,
      apiKey: API_KEY,
      checksumKey: CHECKSUM_KEY,
      baseUrl: running.url,
    } satisfies ClickpesaCredentialsInput,
  };
}

function routes(simulation: Simulation<null>): readonly Route[] {
  const authorised = (answer: Route['answer']) => (request: SimulatedRequest) =>
    simulation.tokens.admits(request.headers.authorization) ? answer(request) : failure(401, 'Unauthorized', NO_TOKEN);
  return [
    { method: 'POST', path: TOKEN_PATH, answer: (request) => issueToken(simulation, request) },
    { method: 'POST', path: PUSH_PATH, answer: authorised((request) => takePayment(simulation, request)) },
    { method: 'GET', path: `${PAYMENTS_PATH}/:reference`, answer: authorised((request) => showPayment(simulation, request)) },
  ];
}

function issueToken({ conduct, tokens }: Simulation<null>, { headers }: SimulatedRequest): Reply {
  if (conduct.tokensFail || headers['client-id'] !== CLIENT_ID || headers['api-key'] !== API_KEY)
    return failure(401, 'Invalid client or API key', conduct.tokensFail ? 'POST /control set tokensFail' : WRONG_CLIENT);
  return { status: 200, body: { success: true, token: `Bearer ${tokens.issue()}` } };
}

async function takePayment(simulation: Simulation<null>, { body }: SimulatedRequest): Promise<Reply> {
  const { record, conduct, random } = simulation;
  if (conduct.suspended) return failure(404, 'USSD push is not available for this application');
  const parsed = pushRequestSchema.safeParse(body);
  if (!parsed.success) return failure(400, describeIssues(parsed.error));
  const { orderReference: reference, phoneNumber: mobile, amount, checksum } = parsed.data;
  if (!isRecord(body) || !fits(body, checksum, CHECKSUM_KEY, 'canonical'))
    return failure(400, 'Invalid checksum', 'checksum must be HMAC-SHA256 over the canonical JSON of the body');
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

function showPayment({ record }: Simulation<null>, { params }: SimulatedRequest): Reply {
  const payment = record.query(record.findByReference(params.reference ?? ''));
  if (!payment) return failure(404, 'Payment not found');
  const ending = record.endingOf(payment);
  const reversed = ending === 'paid' && record.isReversed(payment);
  return { status: 200, body: [present(payment, reversed ? 'REVERSED' : ending === null ? 'PROCESSING' : STATUSES[ending], ending)] };
}

function present({ id, reference, amount, mobile }: SimulatedPayment<null>, status: string, ending: Ending | null) {
  return {
    id,
    status,
    orderReference: reference,
    collectedAmount: ending === 'paid' ? String(amount) : '0',
    collectedCurrency: 'TZS',
    channel: 'M-PESA',
    message: ending === null ? 'Waiting for the customer' : MESSAGES[ending],
    customer: { customerName: 'ASHA JUMA', customerPhoneNumber: mobile },
    clientId: CLIENT_ID,
    ...(ending === 'paid' && { paymentReference: `7K${id.slice(-6)}` }),
  };
}
