import type { z } from 'zod';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Refusal } from '@/lib/providers/kit/behaviours';
import { NOT_FOUND, type Reply, type SimulatedRequest, startRoutes } from '@/lib/providers/kit/server';
import type { SimulationOptions } from '@/lib/providers/kit/simulation';
import type { MpesaCredentialsInput } from './adapter';
import {
  announce,
  announceSteps,
  behaviourOfNumber,
  type Control,
  controlSchema,
  createAccess,
  createRecord,
  ENDINGS,
  hold,
  type Platform,
} from './simulated-platform';
import { CODES, type Code, isCode, MARKET, PATHS, paymentRequestSchema, reversalRequestSchema, statusRequestSchema } from './wire';

export interface MpesaSimulatorOptions extends Omit<SimulationOptions, 'tokenMs'> {
  readonly mode: 'sync' | 'async';
  /** The only value of the header `Origin` with which the simulator accepts requests. `*`, the default, accepts all requests. */
  readonly origin?: string;
  readonly serviceProviderCode?: string;
  readonly sessionMs?: number;
  /** How long a new session is refused, milliseconds. */
  readonly warmupMs?: number;
  /** How long status queries do not find a new payment, milliseconds. Multiplied by `delayFactor`. */
  readonly indexingMs?: number;
  readonly keyBits?: number;
}

export type MpesaSimulator = Awaited<ReturnType<typeof startMpesaSimulator>>;

/**
 * Starts a simulated M-Pesa OpenAPI platform on the loopback interface. The last three digits of a mobile number decide the
 * result of a payment. `GET /control` and `POST /control` show and change all other behaviour. Transactions are kept in memory.
 */
export async function startMpesaSimulator(options: MpesaSimulatorOptions) {
  const { clock, random, mode, origin = '*', serviceProviderCode = '000000', delayFactor = 1, indexingMs = 0 } = options;
  const { sessionMs = HOUR_MS, warmupMs = 0, keyBits = 4096, chooseBehaviour = behaviourOfNumber } = options;
  const stop = new AbortController();
  const platform: Platform = {
    clock,
    access: await createAccess({ clock, random, keyBits, sessionMs, warmupMs }),
    record: createRecord({ clock, random, delayFactor }),
    announcements: [],
    refusals: [],
    conduct: { mode, callbackUrl: options.callbackUrl ?? null, dailyLimit: null, sessionsFail: false, hangs: false, suspended: false },
    serviceProviderCode,
    indexingMs,
    delayFactor,
    chooseBehaviour,
    stopping: stop.signal,
    held: { now: 0, most: 0 },
  };
  const routes = ['sandbox', 'openapi'].flatMap((env) =>
    OPERATIONS.map(({ method, path, answer }) => ({
      method,
      path: `/${env}/ipg/v2/:market/${path}`,
      answer: (request: SimulatedRequest) => {
        if (origin !== '*' && request.headers.origin !== origin) return { status: 403, body: 'Forbidden', why: `Origin must be ${origin}` };
        if (request.params.market !== MARKET.name)
          return { ...replyWith('INS-998'), why: `The market in the address must be ${MARKET.name}` };
        if (platform.conduct.hangs && path !== PATHS.session) return 'never';
        const fields = method === 'GET' ? request.query : request.body;
        return answer(platform, { authorization: request.headers.authorization, fields });
      },
    })),
  );
  const why = `There is no such address. This simulator answers: ${OPERATIONS.map((one) => `${one.method} ${one.path}`).join(', ')}`;
  const server = await startRoutes(options.port ?? 0, routes, {
    before: (request) => (request.path === '/control' ? answerControl(platform, request) : null),
    answered({ method, path }, reply) {
      if (typeof reply === 'string' || reply.why === undefined) return;
      platform.refusals.push({ at: clock(), request: `${method} ${path}`, status: reply.status, why: reply.why });
    },
    unknownAddress: { ...NOT_FOUND, why },
  });
  const { url } = server;

  return {
    url,
    /** Credentials of a provider account that uses this simulator. */
    credentials: {
      baseUrl: url,
      env: 'sandbox',
      market: MARKET.name,
      apiKey: platform.access.apiKey,
      publicKey: platform.access.publicKey,
      serviceProviderCode,
      origin,
      mode,
      sessionMinutes: Math.max(1, sessionMs / MINUTE_MS),
      sessionWarmupSeconds: warmupMs / SECOND_MS,
    } satisfies MpesaCredentialsInput,
    transactions: platform.record.transactions,
    /** Every callback sent so far, with its reply. */
    announcements: platform.announcements,
    /** Each refused request, with the reason. */
    refusals: platform.refusals,
    sessionsOpened: platform.access.sessionsOpened,
    /** Returns the maximum number of parallel synchronous calls so far. */
    mostHeld: () => platform.held.most,
    /** Changes the behaviour from now on. */
    control: (change: Control) => control(platform, change),
    async stop(): Promise<void> {
      stop.abort();
      await server.stop();
    },
  };
}

function answerControl(platform: Platform, { method, body }: SimulatedRequest): Reply {
  if (method === 'POST') {
    const change = controlSchema.safeParse(body);
    if (!change.success) return { status: 400, body: { problems: change.error.issues.map(({ message }) => message) } };
    control(platform, change.data);
  }
  const { conduct, record, announcements, refusals } = platform;
  return { status: 200, body: { ...conduct, transactions: record.transactions, announcements, refusals } };
}

function control({ conduct, access }: Platform, { endSessions, apiKey, ...change }: Control): void {
  Object.assign(conduct, change);
  if (apiKey !== undefined) access.setApiKey(apiKey);
  if (endSessions) access.endSessions();
}

interface SimulatedCall {
  readonly authorization: string | undefined;
  /** The fields of the body, or of the query string of a GET. */
  readonly fields: unknown;
}

interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly answer: (platform: Platform, request: SimulatedCall) => Reply | Promise<Reply>;
}

export const OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: PATHS.session, answer: openSession },
  { method: 'POST', path: PATHS.payment, answer: withSession(takePayment) },
  { method: 'GET', path: PATHS.status, answer: withSession(reportStatus) },
  { method: 'PUT', path: PATHS.reversal, answer: withSession(reverse) },
];

/** Creates the answer with a result code. */
function replyWith(code: Code, fields: object = {}, status: number = CODES[code].http) {
  const { description } = CODES[code];
  const body = { output_ResponseCode: code, output_ResponseDesc: description, ...fields };
  return { status, body, ...(code !== 'INS-0' && { why: `${code}: ${description}` }) };
}

const unauthorized = (what: string): Reply => ({
  status: 401,
  body: 'Unauthorized',
  why: `The header Authorization must be Bearer and ${what}, encrypted with the public key (RSA, PKCS #1) in base64`,
});

function withSession(answer: Operation['answer']): Operation['answer'] {
  return (platform, request) =>
    platform.access.admits(request.authorization) ? answer(platform, request) : unauthorized('the id of a session that is valid now');
}

function openSession({ access, conduct }: Platform, { authorization }: SimulatedCall): Reply {
  const id = access.openSession(authorization);
  if (id === null) return unauthorized('the API key');
  return conduct.sessionsFail ? replyWith('INS-989') : replyWith('INS-0', { output_SessionID: id }, 200);
}

/** How a payment request is refused before it is recorded: with a result code, by another HTTP answer, or without an answer. */
const REFUSED: Readonly<Record<Refusal, Code | 'cut' | { readonly status: number; readonly body: string }>> = {
  not_registered: 'INS-2051',
  limit_exceeded: 'INS-990',
  too_many_requests: { status: 429, body: 'Too Many Requests' },
  bad_gateway: { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' },
  cut: 'cut',
};

async function takePayment(platform: Platform, { fields }: SimulatedCall): Promise<Reply> {
  const { record, conduct, chooseBehaviour } = platform;
  const request = validate(paymentRequestSchema, fields, platform);
  if (!request.ok) return { ...replyWith(request.error.code), why: request.error.why };
  if (conduct.suspended) return replyWith('INS-997');
  const { input_ThirdPartyConversationID: ours, input_CustomerMSISDN: msisdn, input_Amount: amount } = request.value;
  const behaviour = chooseBehaviour(msisdn);
  const { refusal, answer, steps } = behaviour;
  const refused = refusal && REFUSED[refusal];
  if (refused === 'cut') return 'cut';
  if (typeof refused === 'object')
    return { ...refused, why: `The number ends in ${msisdn.slice(-3)}, for which the simulator gives this answer` };
  if (!record.claimId(ours)) return replyWith('INS-10', { output_ThirdPartyConversationID: ours });
  if (refused) return replyWith(refused, { output_ThirdPartyConversationID: ours });
  if (conduct.dailyLimit !== null && record.requestedToday(msisdn) + Number(amount) > conduct.dailyLimit) return replyWith('INS-990');

  const transaction = record.take(request.value, behaviour);
  const ids = { output_ConversationID: transaction.conversationId, output_ThirdPartyConversationID: ours };
  const announced = announceSteps(platform, transaction);
  if (answer === 'cut') return 'cut';
  if (answer === 'html') return { status: 200, body: '<html>Please wait</html>' };
  if (conduct.mode === 'async') {
    if (answer === 'after_callback') await announced;
    return replyWith('INS-0', ids);
  }
  const [first] = steps;
  if (!first) return replyWith('INS-9', ids);
  await hold(platform, first.afterMs);
  const { code } = ENDINGS[first.ending];
  return replyWith(code, { ...ids, ...(code === 'INS-0' && { output_TransactionID: transaction.transactionId }) });
}

function reportStatus(platform: Platform, { fields }: SimulatedCall): Reply {
  const { record, indexingMs } = platform;
  const request = validate(statusRequestSchema, fields, platform);
  if (!request.ok) return { ...replyWith(request.error.code), why: request.error.why };
  const { input_QueryReference: reference, input_ThirdPartyConversationID: ours } = request.value;
  const ids = { output_ConversationID: record.newConversationId(), output_ThirdPartyConversationID: ours };
  const found = record.find(reference);
  if (!found || record.isHidden(found, indexingMs)) return replyWith('INS-23', { ...ids, output_ResponseTransactionStatus: 'N/A' });
  const status = record.statusOf(found);
  const completed = status === 'Completed';
  return replyWith(
    'INS-0',
    {
      ...ids,
      output_ResponseTransactionStatus: status,
      output_OriginalTransactionID: completed ? found.transactionId : 'N/A',
      output_Reversed: completed && record.isReversed(found) ? 'True' : 'False',
    },
    200,
  );
}

function reverse(platform: Platform, { fields }: SimulatedCall): Reply {
  const { record, conduct, announcements } = platform;
  const request = validate(reversalRequestSchema, fields, platform);
  if (!request.ok) return { ...replyWith(request.error.code), why: request.error.why };
  const { input_ThirdPartyConversationID: ours } = request.value;
  if (!record.claimId(ours)) return replyWith('INS-10', { output_ThirdPartyConversationID: ours });
  const behaviour = record.reverse(request.value);
  if (typeof behaviour === 'string') return replyWith(behaviour, { output_ThirdPartyConversationID: ours });
  if (behaviour.refusal === 'cut') return 'cut';
  const conversationId = record.newConversationId();
  const transactionId = record.newReceipt();
  const ids = { output_ConversationID: conversationId, output_ThirdPartyConversationID: ours };
  const isDone = behaviour.ending === 'paid' && behaviour.afterMs === 0;
  if (conduct.mode === 'async' && isDone && conduct.callbackUrl !== null) {
    const result = { conversationId, thirdPartyConversationId: ours, transactionId, code: 'INS-0' } as const;
    for (let sent = 0; sent < behaviour.callbacks; sent += 1)
      announce(platform, conduct.callbackUrl, result).then((one) => announcements.push(one));
  }
  if (behaviour.answer === 'cut') return 'cut';
  return replyWith('INS-0', { ...ids, ...(conduct.mode === 'sync' && isDone && { output_TransactionID: transactionId }) });
}

/** Validates a request. A missing field is reported before a malformed one. The shortcode must be the application's. */
function validate<Fields extends { readonly input_ServiceProviderCode: string }>(
  schema: z.ZodType<Fields>,
  fields: unknown,
  { serviceProviderCode }: Platform,
): Result<Fields, { readonly code: Code; readonly why: string }> {
  const parsed = schema.safeParse(fields);
  if (parsed.success && parsed.data.input_ServiceProviderCode === serviceProviderCode) return ok(parsed.data);
  if (parsed.success) return fail({ code: 'INS-13', why: `input_ServiceProviderCode must be ${serviceProviderCode}` });
  const codes = parsed.error.issues.map(({ message }) => message).filter(isCode);
  const code = codes.includes('INS-20') ? 'INS-20' : (codes[0] ?? 'INS-21');
  return fail({
    code,
    why: parsed.error.issues
      .map(({ path, message }) => `${path.join('.') || 'fields'}: ${isCode(message) ? CODES[message].description : message}`)
      .join('; '),
  });
}
