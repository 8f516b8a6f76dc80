import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { z } from 'zod';
import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Ending } from '@/lib/providers/kit/behaviours';
import { type PayoutBehaviour, payoutBehaviourOf } from '@/lib/providers/kit/payouts';
import type { SimulatedPayment } from '@/lib/providers/kit/record';
import type { Reply, Route, SimulatedRequest } from '@/lib/providers/kit/server';
import { describeIssues, type Protocol, type Simulation, type SimulationOptions, startSimulation } from '@/lib/providers/kit/simulation';
import type { PawapayCredentialsInput } from './adapter';
import { DEPOSITS_PATH, type DepositRequest, depositRequestSchema, REFUNDS_PATH, type RefundRequest, refundRequestSchema } from './wire';

const API_TOKEN = 'simulated-token';
const VALID_SECONDS = 60;
const COMPONENTS = ['@method', '@authority', '@path', 'signature-date', 'content-digest', 'content-type'];

const FAILURES: Readonly<Record<Exclude<Ending, 'paid'>, string>> = {
  cancelled: 'PAYMENT_NOT_APPROVED',
  wrong_pin: 'PAYMENT_NOT_APPROVED',
  insufficient_funds: 'INSUFFICIENT_BALANCE',
  internal_error: 'UNSPECIFIED_FAILURE',
  expired: 'PAYMENT_NOT_APPROVED',
};

/** The failure code for each member with a wrong value. The answer has HTTP 200. All other invalid requests are refused with HTTP 400. */
const REJECTIONS: ReadonlyMap<string, string> = new Map([
  ['amount', 'INVALID_AMOUNT'],
  ['currency', 'INVALID_CURRENCY'],
  ['phoneNumber', 'INVALID_PHONE_NUMBER'],
  ['provider', 'INVALID_PROVIDER'],
]);

type Payment = SimulatedPayment<DepositRequest>;

function failure(status: number, failureCode: string, failureMessage: string, id: object = {}) {
  const body = { ...id, ...('depositId' in id && { status: 'REJECTED' }), failureReason: { failureCode, failureMessage } };
  return { status, body, why: `${failureCode}: ${failureMessage}` };
}

/** Starts a simulator of pawaPay. Its callbacks are signed with a new key. */
export async function startPawapaySimulator(options: SimulationOptions) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const protocol = {
    credentials: (url) => ({
      apiToken: API_TOKEN,
      callbackPublicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      baseUrl: url,
    }),
    tokenPath: null,
    tooManyRequests: failure(429, 'TOO_MANY_REQUESTS', 'Too many requests'),
    repeatPausesMs: [60_000, 120_000, 300_000],
    callback(payment, ending, forged, url) {
      const body = JSON.stringify(present(payment, ending));
      return { headers: signedHeaders(url, body, forged ? stranger : privateKey, options.clock()), body };
    },
    routes,
    wrongAddresses: [{ path: /^\/(v1\/)?deposits/, detail: 'version 2 of the API is below /v2' }],
  } satisfies Protocol<DepositRequest, PawapayCredentialsInput>;
  return startSimulation(protocol, options);
}

/** Signs a callback as RFC 9421 describes. */
function signedHeaders(url: string, body: string, key: KeyObject, now: Date): Readonly<Record<string, string>> {
  const { host, pathname } = new URL(url);
  const headers = {
    'signature-date': now.toISOString(),
    'content-digest': `sha-512=:${createHash('sha512').update(body).digest('base64')}:`,
    'content-type': 'application/json; charset=UTF-8',
  };
  const values: Readonly<Record<string, string>> = { '@method': 'POST', '@authority': host, '@path': pathname, ...headers };
  const created = Math.floor(now.getTime() / SECOND_MS);
  const covered = COMPONENTS.map((component) => `"${component}"`).join(' ');
  const parameters = `(${covered});alg="ecdsa-p256-sha256";keyid="HTTP_EC_P256_KEY:1";created=${created};expires=${created + VALID_SECONDS}`;
  const lines = COMPONENTS.map((component) => `"${component}": ${values[component]}`);
  const signature = sign('sha256', Buffer.from([...lines, `"@signature-params": ${parameters}`].join('\n')), key);
  return { ...headers, 'signature-input': `sig-pp=${parameters}`, signature: `sig-pp=:${signature.toString('base64')}:` };
}

function routes(simulation: Simulation<DepositRequest>): readonly Route[] {
  const refunds = createRefunds(simulation);
  const authorised = (answer: Route['answer']) => (request: SimulatedRequest) =>
    request.headers.authorization === `Bearer ${API_TOKEN}`
      ? answer(request)
      : failure(403, 'AUTHENTICATION_ERROR', 'The API token is not valid');
  return [
    { method: 'POST', path: DEPOSITS_PATH, answer: authorised((request) => takeDeposit(simulation, request)) },
    { method: 'GET', path: `${DEPOSITS_PATH}/:id`, answer: authorised((request) => showDeposit(simulation, request)) },
    { method: 'POST', path: REFUNDS_PATH, answer: authorised(({ body }) => refunds.ask(body)) },
    { method: 'GET', path: `${REFUNDS_PATH}/:id`, answer: authorised(({ params }) => refunds.show(params.id ?? '')) },
  ];
}

async function takeDeposit(simulation: Simulation<DepositRequest>, { body }: SimulatedRequest): Promise<Reply> {
  const { record, conduct, clock } = simulation;
  const parsed = depositRequestSchema.safeParse(body);
  if (!parsed.success) return refuse(body, parsed.error.issues);
  const { depositId, payer, amount } = parsed.data;
  const rejected = (code: string, message: string, status = 200) => failure(status, code, message, { depositId });
  if (conduct.suspended) return rejected('DEPOSITS_NOT_ALLOWED', 'Deposits are not enabled for this provider', 403);
  if (record.findById(depositId))
    return { status: 200, body: { depositId, status: 'DUPLICATE_IGNORED', created: clock() }, why: 'The depositId was used before' };
  return simulation.take(
    {
      reference: parsed.data.clientReferenceId ?? depositId,
      id: depositId,
      mobile: payer.accountDetails.phoneNumber,
      amount: Number(amount),
      details: parsed.data,
    },
    {
      accepted: () => ({ status: 200, body: { depositId, status: 'ACCEPTED', created: clock(), nextStep: 'FINAL_STATUS' } }),
      refused: (refusal) =>
        refusal === 'limit_exceeded'
          ? rejected('AMOUNT_OUT_OF_BOUNDS', 'The amount is outside of the limits')
          : rejected('INVALID_PHONE_NUMBER', 'The number has no wallet'),
    },
  );
}

/** Refuses a request with the documented code for its first invalid member. */
function refuse(body: unknown, issues: readonly z.core.$ZodIssue[]): Reply {
  const message = describeIssues({ issues });
  const member = issues[0]?.path.at(-1)?.toString() ?? '';
  const code = issues[0]?.code === 'invalid_type' ? undefined : REJECTIONS.get(member);
  const id = z.object({ depositId: z.string() }).safeParse(body).data;
  if (code !== undefined && id) return failure(200, code, message, id);
  return failure(400, issues[0]?.code === 'unrecognized_keys' ? 'UNSUPPORTED_PARAMETER' : 'INVALID_PARAMETER', message);
}

function showDeposit({ record }: Simulation<DepositRequest>, { params }: SimulatedRequest): Reply {
  const payment = record.query(record.findById(params.id ?? ''));
  if (!payment) return { status: 200, body: { status: 'NOT_FOUND' }, why: 'There is no deposit with this id, or it is not found yet' };
  return { status: 200, body: { status: 'FOUND', data: present(payment, record.endingOf(payment)) } };
}

function present({ id, amount, takenAt, details }: Payment, ending: Ending | null) {
  const status = ending === null ? 'PROCESSING' : ending === 'paid' ? 'COMPLETED' : 'FAILED';
  return {
    depositId: id,
    status,
    amount: `${amount}.00`,
    currency: 'TZS',
    country: 'TZA',
    payer: details.payer,
    ...(details.clientReferenceId && { clientReferenceId: details.clientReferenceId }),
    created: new Date(takenAt),
    ...(ending === 'paid' && { providerTransactionId: `T${id.slice(0, 8)}` }),
    ...(ending !== null &&
      ending !== 'paid' && { failureReason: { failureCode: FAILURES[ending], failureMessage: ending.replaceAll('_', ' ') } }),
  };
}

/** How long a refund takes at least. */
const REFUND_MS = 2_000;

interface Refund extends RefundRequest {
  readonly takenAt: number;
  readonly behaviour: PayoutBehaviour;
}

/** Creates the refunds of a simulated pawaPay. A deposit has one refund at a time, and the sum of its refunds never exceeds the deposit. */
export function createRefunds({ record, clock, delayFactor }: Simulation<DepositRequest>) {
  const refunds = new Map<string, Refund>();
  const statusOf = ({ takenAt, behaviour: { ending, afterMs } }: Refund) => {
    if (ending === null || record.now() - takenAt < (REFUND_MS + afterMs) * delayFactor) return 'PROCESSING';
    return ending === 'paid' ? 'COMPLETED' : 'FAILED';
  };
  const refundsOf = (depositId: string) => [...refunds.values()].filter((refund) => refund.depositId === depositId);
  const refundedOf = (depositId: string) =>
    refundsOf(depositId).reduce((sum, refund) => (statusOf(refund) === 'FAILED' ? sum : sum + Number(refund.amount)), 0);

  return {
    ask(body: unknown): Reply {
      const parsed = refundRequestSchema.safeParse(body);
      if (!parsed.success) {
        const failureMessage = describeIssues(parsed.error);
        return { status: 400, body: { failureReason: { failureCode: 'INVALID_PARAMETER', failureMessage } }, why: failureMessage };
      }
      const { refundId, depositId, amount } = parsed.data;
      const answer = (status: string, failureCode?: string): Reply => ({
        status: 200,
        body: { refundId, status, created: clock(), ...(failureCode && { failureReason: { failureCode, failureMessage: failureCode } }) },
        ...(status !== 'ACCEPTED' && { why: failureCode ?? 'The refundId was used before' }),
      });
      if (refunds.has(refundId)) return answer('DUPLICATE_IGNORED');
      const deposit = record.findById(depositId);
      if (!deposit) return answer('REJECTED', 'NOT_FOUND');
      if (record.endingOf(deposit) !== 'paid') return answer('REJECTED', 'INVALID_STATE');
      if (refundsOf(depositId).some((refund) => statusOf(refund) === 'PROCESSING')) return answer('REJECTED', 'REFUND_IN_PROGRESS');
      const left = deposit.amount - refundedOf(depositId);
      if (left === 0) return answer('REJECTED', 'ALREADY_REFUNDED');
      if (Number(amount) > left) return answer('REJECTED', 'AMOUNT_TOO_LARGE');
      const behaviour = payoutBehaviourOf(deposit.mobile);
      if (behaviour.refusal === 'refused') return answer('REJECTED', 'REFUNDS_NOT_ALLOWED');
      if (behaviour.refusal === 'cut') return 'cut';
      refunds.set(refundId, { ...parsed.data, takenAt: record.now(), behaviour });
      return behaviour.answer ?? answer('ACCEPTED');
    },
    show(id: string): Reply {
      const refund = refunds.get(id);
      if (!refund) return { status: 200, body: { status: 'NOT_FOUND' }, why: 'There is no refund with this id' };
      const { takenAt, behaviour, ...data } = refund;
      const status = statusOf(refund);
      return { status: 200, body: { status: 'FOUND', data: { ...data, status, created: new Date(takenAt) } } };
    },
  };
}
