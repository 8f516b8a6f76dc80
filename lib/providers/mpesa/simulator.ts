import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { type Clock, HOUR_MS, MINUTE_MS, type Random, SECOND_MS } from '@/lib/core/clock';
import { readBody, startLoopbackServer } from '@/lib/providers/port/loopback-server';
import { parseJson } from '@/lib/providers/port/raw-answer';
import { type Behaviour, behaviourOf } from './behaviours';
import type { MpesaCredentialsInput } from './credentials';
import { createAccess } from './simulated-access';
import { OPERATIONS, type Reply, replyWith } from './simulated-operations';
import type { Platform } from './simulated-platform';
import { createRecord } from './simulated-record';
import { MARKET, PATHS } from './wire';

const PATH = /^\/(sandbox|openapi)\/ipg\/v2\/(\w+)\/(.+)$/;

export interface MpesaSimulatorOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** 0, the default, chooses a free port. */
  readonly port?: number;
  readonly mode: 'sync' | 'async';
  /** The application's Response URL; null, the default, for no callbacks. */
  readonly callbackUrl?: string | null;
  /** The only value of the header `Origin` with which the simulator accepts requests. `*`, the default, accepts all requests. */
  readonly origin?: string;
  readonly serviceProviderCode?: string;
  readonly sessionMs?: number;
  /** How long a new session is refused, milliseconds. */
  readonly warmupMs?: number;
  /** How long status queries do not find a new payment, milliseconds. Multiplied by `delayFactor`. */
  readonly indexingMs?: number;
  /** Multiplies all delays of behaviours. */
  readonly delayFactor?: number;
  readonly keyBits?: number;
  /** Decides what happens to a payment request. By default, the last three digits of the number decide it. */
  readonly chooseBehaviour?: (msisdn: string) => Behaviour;
}

const controlSchema = z.strictObject({
  mode: z.enum(['sync', 'async']).optional(),
  callbackUrl: z.url().nullable().optional(),
  dailyLimit: z.int().positive().nullable().optional(),
  sessionsFail: z.boolean().optional(),
  /** Whether no request gets an answer, except the request for a session. */
  hangs: z.boolean().optional(),
  /** Whether M-Pesa refuses the organisation: payment requests get INS-997. */
  suspended: z.boolean().optional(),
  /** A new API key. The previous key opens no more sessions. */
  apiKey: z.string().min(8).optional(),
  /** Ends all open sessions. */
  endSessions: z.literal(true).optional(),
});
type Control = z.infer<typeof controlSchema>;

export type MpesaSimulator = Awaited<ReturnType<typeof startMpesaSimulator>>;

/**
 * Starts a simulated M-Pesa OpenAPI platform on the loopback interface. The last three digits of a mobile number decide the
 * result of a payment. `GET /control` and `POST /control` show and change all other behaviour. Transactions are kept in memory.
 */
export async function startMpesaSimulator(options: MpesaSimulatorOptions) {
  const { clock, random, mode, origin = '*', serviceProviderCode = '000000', delayFactor = 1, indexingMs = 0 } = options;
  const { sessionMs = HOUR_MS, warmupMs = 0, keyBits = 4096, chooseBehaviour = behaviourOf } = options;
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
  const server = await startLoopbackServer(options.port ?? 0, (request, response) => {
    answer(platform, origin, request).then(
      (reply) => {
        noteRefusal(platform, request, reply);
        send(response, reply);
      },
      () => response.destroy(),
    );
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

async function answer(platform: Platform, origin: string, request: IncomingMessage): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator');
  const body = parseJson(await readBody(request));
  if (pathname === '/control') return answerControl(platform, request.method, body);
  const [, , market = '', path = ''] = PATH.exec(pathname) ?? [];
  const operation = OPERATIONS.find((one) => one.path === path && one.method === request.method);
  if (!operation) {
    const why = `There is no such address. This simulator answers: ${OPERATIONS.map((one) => `${one.method} ${one.path}`).join(', ')}`;
    return { status: 404, body: '<html><h1>404 Not Found</h1></html>', why };
  }
  if (origin !== '*' && request.headers.origin !== origin) return { status: 403, body: 'Forbidden', why: `Origin must be ${origin}` };
  if (market !== MARKET.name) return { ...replyWith('INS-998'), why: `The market in the address must be ${MARKET.name}` };
  if (platform.conduct.hangs && path !== PATHS.session) return new Promise<never>(() => undefined);
  const fields = operation.method === 'GET' ? Object.fromEntries(searchParams) : body;
  return operation.answer(platform, { authorization: request.headers.authorization, fields });
}

function answerControl(platform: Platform, method: string | undefined, body: unknown): Reply {
  if (method === 'POST') {
    const change = controlSchema.safeParse(body);
    if (!change.success) return { status: 400, body: { problems: change.error.issues.map(({ message }) => message) } };
    control(platform, change.data);
  }
  const { conduct, record, announcements, refusals } = platform;
  return { status: 200, body: { ...conduct, transactions: record.transactions, announcements, refusals } };
}

function noteRefusal({ clock, refusals }: Platform, { method = 'GET', url = '/' }: IncomingMessage, reply: Reply): void {
  if (reply === 'cut' || reply.why === undefined) return;
  refusals.push({ at: clock(), request: `${method} ${url.split('?')[0]}`, status: reply.status, why: reply.why });
}

function control({ conduct, access }: Platform, { endSessions, apiKey, ...change }: Control): void {
  Object.assign(conduct, change);
  if (apiKey !== undefined) access.setApiKey(apiKey);
  if (endSessions) access.endSessions();
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'cut') response.destroy();
  else if (typeof reply.body === 'string') response.writeHead(reply.status, { 'content-type': 'text/html' }).end(reply.body);
  else response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
}
