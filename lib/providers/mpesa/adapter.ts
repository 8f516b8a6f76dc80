import { constants, type KeyObject, publicEncrypt } from 'node:crypto';
import { z } from 'zod';
import { MINUTE_MS, type Random, SECOND_MS } from '@/lib/platform/core/clock';
import { newPaymentReference } from '@/lib/platform/core/ids';
import { toInternational } from '@/lib/platform/core/mobile';
import { toWholeShillings } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import {
  credentialsReader,
  describeFields,
  numberBetween,
  originUrl,
  secretText,
  wholeNumberBetween,
} from '@/lib/providers/port/credentials';
import {
  type Capabilities,
  type CredentialField,
  type ProviderAccount,
  type ProviderAdapter,
  type RawAnswer,
  USUAL_LIMITS,
} from '@/lib/providers/port/port';
import { CALL_TIMEOUT_MS, callJson, jsonReply, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { rsaPublicKey } from '@/lib/providers/port/rsa-key';
import { createSharedSessions, OPEN_TIMEOUT_MS, type OpenedSession, type SessionDependencies } from '@/lib/providers/port/sessions';
import {
  callbackReply,
  callbackSchema,
  endsSession,
  MARKET,
  MPESA_STATEMENT,
  PATHS,
  type PaymentRequest,
  type ReversalRequest,
  readPaymentAnswer,
  readReversalAnswer,
  readReversalStatus,
  readStatusAnswer,
  refusesSession,
  resultCode,
  type StatusRequest,
  sessionAnswerSchema,
  toItemsDescription,
} from './wire';

/** PKCS#1 v1.5 limits the plaintext to the key size less 11 bytes. 2048 bits are enough for every API key and session id. */
const KEY_MIN_BITS = 2048;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

const credentialsSchema = z.strictObject({
  baseUrl: originUrl('baseUrl').default('https://openapi.m-pesa.com'),
  /** The portal's name for live is `openapi`. */
  env: z.enum(['sandbox', 'openapi'], 'env must be "sandbox" or "openapi" (live)'),
  market: z.literal(MARKET.name, `market must be "${MARKET.name}"`).default(MARKET.name),
  apiKey: secretText('apiKey', 8, 200),
  /** The public key of the portal. Each environment has its own. */
  publicKey: rsaPublicKey('publicKey', KEY_MIN_BITS),
  serviceProviderCode: z
    .string('serviceProviderCode is missing')
    .regex(/^[A-Za-z0-9]{4,12}$/, 'serviceProviderCode must be the shortcode: 4 to 12 letters and digits'),
  /** One of the application's trusted sources, as set in the portal. Calls send it as the Origin header. */
  origin: z
    .string()
    .regex(/^[\w.:/*-]{1,200}$/, 'origin must be a domain or an address, or "*"')
    .default('*'),
  /** Must equal the mode of the application in the portal. In `sync` a call lasts until the customer has answered. */
  mode: z.enum(['sync', 'async'], 'mode must be "sync" or "async"'),
  sessionMinutes: numberBetween('sessionMinutes', 1, 7 * DAY_MINUTES).default(HOUR_MINUTES),
  /** For this long after a session was opened, M-Pesa may still refuse calls with it. */
  sessionWarmupSeconds: numberBetween('sessionWarmupSeconds', 0, 120).default(30),
  /** Limit of parallel requests, over all workers. */
  callsAtOnce: wholeNumberBetween('callsAtOnce', 1, 1_000).optional(),
});

type MpesaCredentials = z.infer<typeof credentialsSchema>;

export type MpesaCredentialsInput = z.input<typeof credentialsSchema>;

const { parseCredentials, withCredentials, accountMembers } = credentialsReader('M-Pesa', credentialsSchema);

export { parseCredentials };

/** The fields of the credentials file of an M-Pesa account. The first fields are in the order of the portal. */
const FIELDS: Readonly<Record<keyof MpesaCredentialsInput, Omit<CredentialField, 'name'>>> = {
  env: { text: '"openapi" for an account in live, "sandbox" for an account in the sandbox', absent: null },
  apiKey: { text: "the application's API key, from the portal", absent: null },
  publicKey: { text: "the portal's public key of the same environment: base64, one line", absent: null },
  serviceProviderCode: { text: 'the shortcode (till) that receives the money: 4 to 12 letters and digits', absent: null },
  mode: {
    text: 'the answer mode of the application, as set in the portal: "sync" (the call lasts until the customer has answered) or "async"',
    absent: null,
  },
  origin: { text: 'a trusted source of the application, as set in the portal: a domain or an IP address', absent: '*' },
  market: { text: 'the market', absent: 'vodacomTZN' },
  baseUrl: { text: 'the address of the platform, without a path', absent: 'https://openapi.m-pesa.com' },
  sessionMinutes: { text: "lifetime of the application's sessions, minutes", absent: '60' },
  sessionWarmupSeconds: { text: 'how long after its creation the platform may refuse calls with a session, seconds', absent: '30' },
  callsAtOnce: { text: 'limit of parallel requests, over all workers', absent: '50 in sync mode, 25 in async mode' },
};

export const MPESA_FIELDS = describeFields(FIELDS);

interface Call {
  readonly method?: 'PUT';
  readonly path: string;
  readonly timeoutMs?: number;
  readonly body?: PaymentRequest | ReversalRequest;
}

/** Result codes of callbacks about money that moved. "INS-0" is documented, "0" has been observed. */
const SUCCEEDED: readonly string[] = ['INS-0', '0'];
/** In synchronous mode, M-Pesa answers after the customer has answered the prompt. Vodacom's own sample code waits 180 s. */
const SYNC_TIMEOUT_MS = 195 * SECOND_MS;
/** Vodacom documents no limit of parallel calls. */
const SYNC_CALLS_AT_ONCE = 50;
const ASYNC_CALLS_AT_ONCE = 25;

export const MPESA_CAPABILITIES: Capabilities = {
  // A lower limit of the customer is reported as INS-990, one of the merchant's application as INS-995.
  ...USUAL_LIMITS,
  firstQueryMs: 20 * SECOND_MS,
  unknownQueryMs: 15 * SECOND_MS,
  // M-Pesa refuses duplicates with INS-10. The value is false nevertheless, because with true Bili would send a request again after INS-23,
  // which means both "not found" and "status unknown". If an answer is lost, the attempt stays unknown until a status query finds the
  // payment or the merchant releases the attempt.
  refusesDuplicates: false,
  queriedBy: 'reference',
  repeatsAnswerMs: 0,
  signsCallbacks: false,
  indexingMs: MINUTE_MS,
  networks: ['vodacom'],
};

/** Creates the adapter of Vodacom M-Pesa: OpenAPI platform, market vodacomTZN, synchronous and asynchronous mode. */
export function createMpesaAdapter({ random, ...dependencies }: SessionDependencies & { readonly random: Random }): ProviderAdapter {
  const sessions = createSharedSessions(dependencies);
  const bearerOf = rememberBearers();

  function call(account: ProviderAccount, signal: AbortSignal, describe: (credentials: MpesaCredentials) => Call): Promise<RawAnswer> {
    return withCredentials(account, async (credentials) => {
      const warmupMs = credentials.sessionWarmupSeconds * SECOND_MS;
      const session = await sessions.get(account, { open: (stop) => openSession(credentials, stop), warmupMs }, signal);
      if (!session.ok) return session.error;

      const { path, ...request } = describe(credentials);
      const headers = { authorization: bearerOf(credentials.publicKey, session.value.token), origin: credentials.origin };
      const answer = await callJson(endpointOf(credentials, path), { headers, signal, ...request });
      if (refusesSession(answer) || endsSession(resultCode(answer))) await session.value.drop();
      return answer;
    });
  }

  /** @param reference our conversation id, or M-Pesa's receipt number. */
  function queryStatus(account: ProviderAccount, reference: string, signal: AbortSignal): Promise<RawAnswer> {
    return call(account, signal, ({ serviceProviderCode }) => {
      const request: StatusRequest = {
        input_QueryReference: reference,
        input_ServiceProviderCode: serviceProviderCode,
        input_ThirdPartyConversationID: newPaymentReference(random),
        input_Country: MARKET.country,
      };
      return { path: `${PATHS.status}?${new URLSearchParams(request)}` };
    });
  }

  return {
    name: 'mpesa',
    capabilities: MPESA_CAPABILITIES,
    ...accountMembers({
      callsAtOnce: (credentials) => credentials?.callsAtOnce ?? (credentials?.mode === 'sync' ? SYNC_CALLS_AT_ONCE : ASYNC_CALLS_AT_ONCE),
      check({ env }, environment) {
        // Sandbox money must never pay a live bill, and real money must never pay a sandbox bill.
        const wanted = environment === 'live' ? 'openapi' : 'sandbox';
        return env === wanted ? [] : [`env must be "${wanted}" for an account in ${environment}.`];
      },
      address: ({ baseUrl }) => baseUrl,
      till: ({ serviceProviderCode }) => ({ name: 'shortcode', value: serviceProviderCode.toUpperCase(), is: 'number' }),
    }),
    send: (account, prompt, signal) =>
      call(account, signal, (credentials) => ({
        path: PATHS.payment,
        timeoutMs: credentials.mode === 'sync' ? SYNC_TIMEOUT_MS : CALL_TIMEOUT_MS,
        body: {
          input_Amount: toWholeShillings(prompt.amount).toString(),
          input_CustomerMSISDN: toInternational(prompt.mobile),
          input_Country: MARKET.country,
          input_Currency: MARKET.currency,
          input_ServiceProviderCode: credentials.serviceProviderCode,
          input_TransactionReference: prompt.reference,
          input_ThirdPartyConversationID: prompt.reference,
          input_PurchasedItemsDesc: toItemsDescription(prompt.description),
        },
      })),
    readAnswer: readPaymentAnswer,
    query: (account, prompt, signal) => queryStatus(account, prompt.reference, signal),
    readStatus: readStatusAnswer,
    // M-Pesa does not sign callbacks, so a status query must confirm the content of each.
    readCallback(_account, { body }) {
      const callback = callbackSchema.safeParse(parseJson(body)).data;
      return {
        reference: callback?.input_ThirdPartyConversationID || null,
        providerReference: callback?.input_OriginalConversationID || null,
        verified: false,
        outcome: null,
        claimsPaid: callback !== undefined && SUCCEEDED.includes(callback.input_ResultCode),
        reply: jsonReply(callbackReply(callback)),
      };
    },
    statement: MPESA_STATEMENT,
    reversals: {
      partial: true,
      send: (account, { reference, transactionId, amount }, signal) =>
        call(account, signal, ({ serviceProviderCode }) => ({
          method: 'PUT',
          path: PATHS.reversal,
          body: {
            input_ReversalAmount: toWholeShillings(amount).toString(),
            input_Country: MARKET.country,
            input_TransactionID: transactionId,
            input_ServiceProviderCode: serviceProviderCode,
            input_ThirdPartyConversationID: reference,
          },
        })),
      readAnswer: readReversalAnswer,
      query: (account, { transactionId }, signal) => queryStatus(account, transactionId, signal),
      readStatus: readReversalStatus,
    },
  };
}

/** Encrypts a secret with RSA PKCS#1 v1.5, in base64. The secret is the API key for getSession, and the session id for all other calls. */
function toBearer(publicKey: KeyObject, secret: string): string {
  return `Bearer ${publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(secret)).toString('base64')}`;
}

/** Returns `toBearer` with a cache of the last result for each key, because many calls use one session and encryption is expensive. */
function rememberBearers(): typeof toBearer {
  const last = new WeakMap<KeyObject, { readonly secret: string; readonly bearer: string }>();
  return (publicKey, secret) => {
    const known = last.get(publicKey);
    if (known?.secret === secret) return known.bearer;
    const bearer = toBearer(publicKey, secret);
    last.set(publicKey, { secret, bearer });
    return bearer;
  };
}

function endpointOf({ baseUrl, env, market }: MpesaCredentials, path: string): string {
  return new URL(`/${env}/ipg/v2/${market}/${path}`, baseUrl).href;
}

async function openSession(credentials: MpesaCredentials, signal: AbortSignal): Promise<Result<OpenedSession, RawAnswer>> {
  const { publicKey, apiKey, origin, sessionMinutes } = credentials;
  const headers = { authorization: toBearer(publicKey, apiKey), origin };
  const answer = await callJson(endpointOf(credentials, PATHS.session), { headers, timeoutMs: OPEN_TIMEOUT_MS, signal });
  const parsed = sessionAnswerSchema.safeParse(parseJson(answer.body));
  const { output_ResponseCode: code = '', output_SessionID: id = '' } = parsed.data ?? {};
  if (answer.lost || code !== 'INS-0' || id === '') {
    return fail(notSent(`no session: ${answer.error ?? `HTTP ${answer.status} ${code}`.trim()}`));
  }
  // M-Pesa's answers do not contain the lifetime of a session.
  return ok({ token: id, lifeMs: sessionMinutes * MINUTE_MS });
}
