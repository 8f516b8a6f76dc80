import { randomUUID } from 'node:crypto';
import { HOUR_MS, SECOND_MS } from '@/lib/core/clock';
import type { Ending } from '@/lib/providers/simulation/behaviours';
import type { SimulatedPayment } from '@/lib/providers/simulation/record';
import type { Reply, Route, SimulatedRequest } from '@/lib/providers/simulation/server';
import {
  describeIssues,
  type Protocol,
  type Simulation,
  type SimulationOptions,
  startSimulation,
} from '@/lib/providers/simulation/simulation';
import type { SnippeCredentialsInput } from './credentials';
import { signWebhook } from './signature';
import {
  EVENT_HEADER,
  PAYMENTS_PATH,
  type PaymentRequest,
  paymentRequestSchema,
  SIGNATURE_HEADER,
  type SnippeStatus,
  TIMESTAMP_HEADER,
  VERSION,
} from './wire';

const API_KEY = 'snp_simulated_key';
const NO_KEY = 'The header Authorization must be Bearer and the apiKey of the credentials';
const WEBHOOK_SECRET = 'whk_simulated_secret';
const KEY_MAX_CHARACTERS = 30;
/** The share of each payment that Snippe keeps. */
const FEE_RATE = 0.005;
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
  const protocol: Protocol<Details> = {
    tokenPath: null,
    tooManyRequests: failure(429, 'rate_limit_exceeded', 'Too many requests'),
    repeatPausesMs: [180 * SECOND_MS, 360 * SECOND_MS, 720 * SECOND_MS, 1_440 * SECOND_MS],
    callbackUrlOf: ({ details }) => details.request.webhook_url ?? null,
    callback(payment, ending, forged) {
      const type = `payment.${STATUSES[ending]}`;
      const at = clock();
      const body = JSON.stringify({
        id: `evt_${randomUUID()}`,
        type,
        api_version: VERSION,
        created_at: at,
        data: present(payment, ending),
      });
      const timestamp = String(Math.floor(at.getTime() / SECOND_MS));
      const signature = signWebhook(forged ? 'another secret' : WEBHOOK_SECRET, timestamp, body);
      return { headers: { [EVENT_HEADER]: type, [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: signature }, body };
    },
    routes,
  };
  const running = await startSimulation(protocol, { ...options });
  return {
    ...running,
    /** Credentials of a provider account that uses this simulator. */
    credentials: {
      apiKey: API_KEY,
      webhookSecret: WEBHOOK_SECRET,
      payerEmail: 'payments@example.com',
      baseUrl: running.url,
    } satisfies SnippeCredentialsInput,
  };
}

function routes(simulation: Simulation<Details>): readonly Route[] {
  return [
    { method: 'POST', path: PAYMENTS_PATH, answer: (request) => refuse(request) ?? takePayment(simulation, request) },
    { method: 'GET', path: `${PAYMENTS_PATH}/:reference`, answer: (request) => refuse(request) ?? showPayment(simulation, request) },
  ];
}

function refuse({ headers }: SimulatedRequest): Reply | null {
  return headers.authorization === `Bearer ${API_KEY}` ? null : failure(401, 'unauthorized', 'Invalid API key', NO_KEY);
}

async function takePayment(simulation: Simulation<Details>, { headers, body, text }: SimulatedRequest): Promise<Reply> {
  const { record, conduct } = simulation;
  if (conduct.suspended) return failure(403, 'insufficient_scope', 'Collections are suspended for this account');
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return failure(400, 'validation_error', 'Idempotency-Key is required');
  if (key.length > KEY_MAX_CHARACTERS)
    return failure(500, 'PAY_001', 'Idempotency-Key is too long', `Idempotency-Key has more than ${KEY_MAX_CHARACTERS} characters`);
  const parsed = paymentRequestSchema.safeParse(body);
  if (!parsed.success) return failure(400, 'validation_error', describeIssues(parsed.error));
  const known = record.findByReference(key);
  if (known)
    return known.details.text === text ? created(known) : failure(422, 'validation_error', 'Idempotency-Key was used with another body');
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

function showPayment({ record }: Simulation<Details>, { params }: SimulatedRequest): Reply {
  const payment = record.query(record.findById(params.reference ?? ''));
  if (!payment) return failure(404, 'not_found', 'Payment not found');
  return { status: 200, body: { status: 'success', code: 200, data: present(payment, record.endingOf(payment)) } };
}

function present({ id, amount, details }: Payment, ending: Ending | null) {
  const tzs = (value: number) => ({ value, currency: 'TZS' });
  const fees = Math.round(amount * FEE_RATE);
  const status: SnippeStatus = ending === null ? 'pending' : STATUSES[ending];
  return {
    reference: id,
    status,
    payment_type: 'mobile',
    amount: tzs(amount),
    settlement: status === 'completed' ? { gross: tzs(amount), fees: tzs(fees), net: tzs(amount - fees) } : null,
    failure_reason: ending === null ? null : (FAILURES[ending] ?? null),
    customer: details.request.customer,
    metadata: details.request.metadata ?? {},
  };
}
