import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock, Random } from '@/lib/platform/core/clock';
import { callOnce } from '@/lib/platform/outbound/call-once';
import { isSuccess } from '@/lib/providers/port/raw-answer';
import { type Behaviour, behaviourOf, type Ending, type Refusal } from './behaviours';
import {
  type CustomerPayment,
  createInstruments,
  customerPaymentSchema,
  type InstrumentPayment,
  ISSUE_FAILURES,
  type SimulatedInstrument,
} from './instruments';
import { createPayouts, payoutBehaviourOf, type SimulatedPayout } from './payouts';
import { createComplaints, createMinuteLimit, createRecord, createTokens, MUST_ASK_MS, type SimulatedPayment } from './record';
import { NOT_FOUND, type Reply, type Route, type SimulatedRequest, startRoutes } from './server';

export interface SimulationOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** 0, the default, chooses a free port. */
  readonly port?: number;
  /** The address for callbacks if a payment request contains no address. With null, the default, such a request gets no callbacks. */
  readonly callbackUrl?: string | null;
  /** Multiplies all delays of behaviours. */
  readonly delayFactor?: number;
  readonly tokenMs?: number;
  /** Decides what happens to a payment request. By default, the last three digits of the number decide it. */
  readonly chooseBehaviour?: (mobile: string) => Behaviour;
}

/** What `POST /control` can change while the simulator runs. */
const controlSchema = z.strictObject({
  callbackUrl: z.url().nullable().optional(),
  /** True if no request gets an answer, except requests for a token. */
  hangs: z.boolean().optional(),
  /** Whether requests for a token are refused. */
  tokensFail: z.boolean().optional(),
  /** Whether the provider refuses the merchant: payment requests get the answer of a suspended service. */
  suspended: z.boolean().optional(),
  /** The maximum number of requests per minute; null if there is no limit. */
  requestsPerMinute: z.int().positive().nullable().optional(),
  endTokens: z.literal(true).optional(),
  /** What happens to the next requests for payment instruments, one each. */
  failInstruments: z.array(z.enum(ISSUE_FAILURES)).optional(),
});
type Control = z.infer<typeof controlSchema>;

type Conduct = { -readonly [Name in keyof Omit<Control, 'endTokens' | 'failInstruments'>]-?: Exclude<Control[Name], undefined> };

/** A callback as the simulator sends it. */
interface SimulatedCallback {
  /** Headers besides the content type. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A callback that was sent, with the client's reply. */
interface Announcement extends SimulatedCallback {
  readonly url: string;
  readonly forged: boolean;
  readonly sentAt: Date;
  /** Null if no reply came. */
  readonly status: number | null;
  readonly reply: string;
}

/** A request that the simulator refused. */
interface RefusedRequest {
  readonly at: Date;
  /** Method and path. */
  readonly request: string;
  readonly status: number;
  readonly why: string;
}

/** What differs between simulated providers. */
export interface Protocol<Details, Credentials extends object> {
  /** Returns the credentials of a provider account that uses this simulator. @param url the address of the simulator. */
  readonly credentials: (url: string) => Credentials;
  readonly routes: (simulation: Simulation<Details>) => readonly Route[];
  /** Creates a callback; null if this provider sends none for the ending. A forged callback says that the payment is paid. */
  readonly callback: (payment: SimulatedPayment<Details>, ending: Ending, forged: boolean, url: string) => SimulatedCallback | null;
  /** Creates the callback about a payout that has ended. Absent if the provider sends no callbacks about payouts. */
  readonly payoutCallback?: (payout: SimulatedPayout) => SimulatedCallback;
  /** Creates the callback about a payment of an instrument. Absent if the provider issues none. */
  readonly instrumentCallback?: (instrument: SimulatedInstrument, payment: InstrumentPayment, url: string) => SimulatedCallback;
  /** Returns the callback address that the payment request contains; null if it contains none. */
  readonly callbackUrlOf?: (payment: SimulatedPayment<Details>) => string | null;
  /** The pause before each repetition of a callback that was not answered with 2xx. Empty if the provider never repeats a callback. */
  readonly repeatPausesMs: readonly number[];
  /** The path of requests for a token; null if there are no tokens. */
  readonly tokenPath: string | null;
  /** The answer to a request above the limit of requests per minute. */
  readonly tooManyRequests: Exclude<Reply, string>;
  /** The answer to a request for an address that does not exist. By default, an HTML page. */
  readonly unknownAddress?: Exclude<Reply, string>;
  /** True, the default, if a second request with the same reference starts no second payment. */
  readonly refusesDuplicates?: boolean;
  /**
   * Addresses of other APIs of the provider that a faulty client may call for these payments, with the sentence that explains the error.
   */
  readonly wrongAddresses?: readonly { readonly path: RegExp; readonly detail: string }[];
}

/** A payment request that the simulator has not accepted yet. */
type Take<Details> = Pick<SimulatedPayment<Details>, 'reference' | 'id' | 'mobile' | 'amount' | 'details'>;

/** The answers of one provider to a payment request. */
interface Answers<Details> {
  readonly accepted: (payment: SimulatedPayment<Details>) => Reply;
  readonly refused: (refusal: Extract<Refusal, 'not_registered' | 'limit_exceeded'>) => Reply;
}

/** The answers of one provider to a payout. */
interface PayoutAnswers {
  readonly accepted: (payout: SimulatedPayout) => Reply;
  readonly refused: Reply;
}

/** The answers of one provider to a request for a payment instrument. */
interface IssueAnswers {
  readonly accepted: (instrument: SimulatedInstrument) => Reply;
  readonly refused: Reply;
}

/** The answers of one provider to a request to reverse a payment. */
interface ReversalAnswers {
  /** @param done whether the money has moved already. */
  readonly accepted: (done: boolean) => Reply;
  readonly refused: Reply;
}

const CALLBACK_TIMEOUT_MS = 5_000;
export const BAD_GATEWAY: Reply = { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' };
const HTML: Reply = { status: 200, body: '<html>Please wait</html>' };

/** The state of a running simulator, for its routes. */
export type Simulation<Details> = ReturnType<typeof createSimulation<Details>>;

function createSimulation<Details>(protocol: Protocol<Details, object>, options: SimulationOptions) {
  const { clock, random, delayFactor = 1, tokenMs = 3_600_000, chooseBehaviour = behaviourOf } = options;
  const record = createRecord<Details>({ clock, delayFactor });
  const complaints = createComplaints(record.now, { delayFactor, refusesDuplicates: protocol.refusesDuplicates ?? true });
  const payouts = createPayouts({ now: record.now, delayFactor });
  const instruments = createInstruments({ now: record.now, random });
  const tokens = createTokens({ clock, random, lifeMs: tokenMs });
  const minute = createMinuteLimit(clock);
  const announcements: Announcement[] = [];
  const refusals: RefusedRequest[] = [];
  const stop = new AbortController();
  const conduct: Conduct = {
    callbackUrl: options.callbackUrl ?? null,
    hangs: false,
    tokensFail: false,
    suspended: false,
    requestsPerMinute: null,
  };
  const wait = (ms: number) => delay(ms * delayFactor, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);

  async function post(url: string, callback: SimulatedCallback, forged: boolean): Promise<boolean> {
    const sentAt = clock();
    const headers = { 'content-type': 'application/json', ...callback.headers };
    const { status, body } = await callOnce(url, { headers, body: callback.body, timeoutMs: CALLBACK_TIMEOUT_MS });
    announcements.push({ ...callback, headers, url, forged, sentAt, status, reply: Buffer.from(body).toString('utf8') });
    return isSuccess({ status });
  }

  async function announce(payment: SimulatedPayment<Details>, ending: Ending, forged = false): Promise<void> {
    const url = protocol.callbackUrlOf?.(payment) ?? conduct.callbackUrl;
    const callback = url === null ? null : protocol.callback(payment, ending, forged, url);
    if (url !== null && callback !== null) await deliver(url, callback, forged);
  }

  /** Sends a callback, and repeats it until it is answered with 2xx. */
  async function deliver(url: string, callback: SimulatedCallback, forged = false): Promise<void> {
    if (stop.signal.aborted || (await post(url, callback, forged)) || forged) return;
    for (const pause of protocol.repeatPausesMs) {
      await wait(pause);
      if (stop.signal.aborted || (await post(url, callback, false))) return;
    }
  }

  async function runSteps(payment: SimulatedPayment<Details>): Promise<void> {
    const { steps, forgedAfterMs } = payment.behaviour;
    await Promise.all([
      ...steps.map(async ({ afterMs, ending, callbacks }) => {
        await wait(afterMs);
        for (let sent = 0; sent < callbacks; sent += 1) await announce(payment, ending);
        // The timer may be late. So the check counts status queries from the time when the payment was due, not from now.
        if (ending === 'paid' && callbacks === 0) void checkLater('paid_not_noticed', payment, payment.takenAt + afterMs * delayFactor);
      }),
      forgedAfterMs === undefined ? undefined : forge(payment, forgedAfterMs),
    ]);
  }

  async function forge(payment: SimulatedPayment<Details>, afterMs: number): Promise<void> {
    await wait(afterMs);
    // A client may send its status query before it answers the callback. Such a query must count, so the time is read before the callback
    // is sent.
    const since = record.now();
    await announce(payment, 'paid', true);
    void checkLater('forged_callback_believed', payment, since);
  }

  async function announcePayout(payout: SimulatedPayout): Promise<void> {
    const { callbackUrl, behaviour } = payout;
    const url = callbackUrl ?? conduct.callbackUrl;
    if (url === null || !protocol.payoutCallback) return;
    await wait(behaviour.afterMs);
    for (let sent = 0; sent < behaviour.callbacks; sent += 1) await deliver(url, protocol.payoutCallback(payout));
  }

  async function announceInstrument(instrument: SimulatedInstrument, payment: InstrumentPayment, callbacks: number): Promise<void> {
    const url = instrument.callbackUrl ?? conduct.callbackUrl;
    if (url === null || !protocol.instrumentCallback) return;
    for (let sent = 0; sent < callbacks; sent += 1) await deliver(url, protocol.instrumentCallback(instrument, payment, url));
  }

  /** Adds a complaint later if the client has sent no status query since the given time. */
  async function checkLater(
    rule: 'paid_not_noticed' | 'forged_callback_believed',
    payment: SimulatedPayment<Details>,
    since: number,
  ): Promise<void> {
    await wait(MUST_ASK_MS);
    if (!stop.signal.aborted) complaints.checkAsked(rule, payment, since);
  }

  return {
    clock,
    random,
    record,
    payouts,
    instruments,
    complaints,
    tokens,
    minute,
    announcements,
    refusals,
    conduct,
    delayFactor,
    /** Takes a valid payment request that is not a duplicate, and behaves as `chooseBehaviour` decides for its number. */
    async take(request: Take<Details>, answers: Answers<Details>): Promise<Reply> {
      const behaviour = chooseBehaviour(request.mobile);
      const { refusal, answer } = behaviour;
      complaints.requested(request);
      const why = `The number ends in ${request.mobile.slice(-3)}, for which the simulator refuses every payment request: ${refusal}`;
      if (refusal === 'not_registered' || refusal === 'limit_exceeded') return explained(answers.refused(refusal), why);
      if (refusal === 'too_many_requests') return { ...protocol.tooManyRequests, why };
      if (refusal !== undefined || answer === 'cut' || answer === 'html') complaints.answerLost(request);
      if (refusal === 'cut') return 'cut';
      if (refusal === 'bad_gateway') return BAD_GATEWAY;
      const payment = record.take({ ...request, behaviour });
      const announced = runSteps(payment);
      if (answer === 'cut') return 'cut';
      if (answer === 'html') return HTML;
      if (answer === 'after_callback') await announced;
      return answers.accepted(payment);
    },
    /** Takes a valid payout that is not a duplicate, and behaves as the last digits of the payee's number say. */
    takePayout(request: Omit<SimulatedPayout, 'takenAt' | 'behaviour'>, { accepted, refused }: PayoutAnswers): Reply {
      const behaviour = payoutBehaviourOf(request.mobile);
      const why = `The number ends in ${request.mobile.slice(-3)}, for which the simulator refuses every payout`;
      if (behaviour.refusal === 'refused') return explained(refused, why);
      if (behaviour.refusal === 'cut') return 'cut';
      const payout = payouts.record({ ...request, behaviour });
      void announcePayout(payout);
      return behaviour.answer ?? accepted(payout);
    },
    /**
     * Takes a valid request to reverse a payment, and behaves as the last digits of the payer's number say for payouts. A reversal that the
     * table says fails is never made, because no status query about a payment reports a failed reversal.
     */
    takeReversal(payment: SimulatedPayment<Details>, { accepted, refused }: ReversalAnswers): Reply {
      const { refusal, ending, afterMs, answer } = payoutBehaviourOf(payment.mobile);
      const why = `The number ends in ${payment.mobile.slice(-3)}, for which the simulator refuses every reversal`;
      if (refusal === 'refused') return explained(refused, why);
      if (refusal === 'cut') return 'cut';
      if (ending === 'paid') payment.reversedAt = record.now() + afterMs * delayFactor;
      return answer ?? accepted(record.isReversed(payment));
    },
    /** Takes a valid request for an instrument that is not a duplicate. `POST /control` can say that it fails. */
    issueInstrument(request: Parameters<typeof instruments.issue>[0], { accepted, refused }: IssueAnswers): Reply {
      const failure = instruments.nextFailure();
      if (failure === 'refused') return explained(refused, 'POST /control said that the next request for an instrument is refused');
      if (failure === 'unrecorded') return 'cut';
      const instrument = instruments.issue(request);
      return failure === 'unanswered' ? 'cut' : accepted(instrument);
    },
    /** Lets a customer pay an instrument, and sends the callbacks. */
    payInstrument(asked: CustomerPayment): ReturnType<typeof instruments.pay> {
      const payment = customerPaymentSchema.parse(asked);
      const paid = instruments.pay(payment);
      const callbacks = payment.callback === 'twice' ? 2 : Number(payment.callback);
      if ('payment' in paid) void announceInstrument(paid.instrument, paid.payment, callbacks);
      return paid;
    },
    control({ endTokens, failInstruments = [], ...change }: Control): void {
      Object.assign(conduct, change);
      instruments.failNext(...failInstruments);
      if (endTokens) tokens.endAll();
    },
    stop: () => stop.abort(),
  };
}

/** Starts a simulated provider on the loopback interface. Its payments are kept in memory. */
export async function startSimulation<Details, Credentials extends object>(
  protocol: Protocol<Details, Credentials>,
  options: SimulationOptions,
) {
  const simulation = createSimulation(protocol, options);
  const { conduct, record, payouts, instruments, complaints, announcements, refusals, minute } = simulation;
  const before = (request: SimulatedRequest): Reply | null => {
    if (request.path === '/control') return answerControl(simulation, request);
    if (request.path === '/control/pay') return answerCustomer(simulation, request);
    if (conduct.hangs && request.path !== protocol.tokenPath) return 'never';
    if (!minute.take(conduct.requestsPerMinute))
      return {
        ...protocol.tooManyRequests,
        why: `More than ${conduct.requestsPerMinute} requests in a minute: POST /control set this limit`,
      };
    const wrong = protocol.wrongAddresses?.find(({ path }) => path.test(request.path));
    if (wrong) complaints.add('wrong_address', null, `${request.method} ${request.path}: ${wrong.detail}`);
    return null;
  };
  const routes = protocol.routes(simulation);
  const answered = ({ method, path }: SimulatedRequest, reply: Reply): void => {
    if (typeof reply === 'string' || reply.why === undefined || path.startsWith('/control')) return;
    refusals.push({ at: new Date(record.now()), request: `${method} ${path}`, status: reply.status, why: reply.why });
  };
  const addresses = routes.map(({ method, path }) => `${method} ${path}`);
  const why = `There is no such address. This simulator answers: ${addresses.join(', ')}`;
  const unknownAddress = { ...(protocol.unknownAddress ?? NOT_FOUND), why };
  const server = await startRoutes(options.port ?? 0, routes, { before, answered, unknownAddress });
  return {
    url: server.url,
    /** Credentials of a provider account that uses this simulator. */
    credentials: protocol.credentials(server.url),
    /** The method and path of each request of the provider's API that this simulator answers. */
    routes: addresses,
    payments: record.payments,
    payouts: payouts.list,
    /** The instruments that this simulator has issued, each with its payments. */
    instruments: instruments.list,
    announcements,
    complaints: complaints.list,
    /** Each refused request, with the reason. */
    refusals,
    tokensIssued: simulation.tokens.count,
    /** Returns the number of requests in the minute before the latest request, without those that the limit refused. */
    requestsInMinute: minute.used,
    /** Changes the behaviour from now on. */
    control: simulation.control,
    payInstrument: simulation.payInstrument,
    async stop(): Promise<void> {
      simulation.stop();
      await server.stop();
    },
  };
}

/** Adds the reason of a refusal to an answer. */
function explained(reply: Reply, why: string): Reply {
  return typeof reply === 'string' ? reply : { ...reply, why };
}

/** Describes the members of a request that its schema refuses. */
export function describeIssues({ issues }: { readonly issues: readonly z.core.$ZodIssue[] }): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');
}

/** Says that a request has no valid access token. */
export const NO_TOKEN =
  'The header Authorization has no valid token (Bearer …): it is missing, was not issued by this simulator, or has expired';

function answerControl<Details>(simulation: Simulation<Details>, { method, body }: SimulatedRequest): Reply {
  if (method === 'POST') {
    const change = controlSchema.safeParse(body);
    if (!change.success) return { status: 400, body: { problems: change.error.issues.map(({ message }) => message) } };
    simulation.control(change.data);
  }
  const { conduct, record, payouts, instruments, announcements, complaints, refusals } = simulation;
  const seen = { payments: record.payments, payouts: payouts.list, instruments: instruments.list, announcements, refusals };
  return { status: 200, body: { ...conduct, ...seen, complaints: complaints.list } };
}

/** Lets a customer pay an instrument. Answers 409 if the wallet refuses the payment. */
function answerCustomer<Details>(simulation: Simulation<Details>, { method, body }: SimulatedRequest): Reply {
  if (method !== 'POST') return { status: 405, body: { problems: ['A payment is a POST request'] } };
  const asked = customerPaymentSchema.safeParse(body);
  if (!asked.success) return { status: 400, body: { problems: asked.error.issues.map(({ message }) => message) } };
  const paid = simulation.payInstrument(asked.data);
  if ('refusal' in paid) return { status: 409, body: { problems: [paid.refusal] } };
  return { status: 200, body: { reference: paid.instrument.reference, ...paid.payment } };
}
