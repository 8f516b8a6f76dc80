import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { addMs, type Clock, DAY_MS, MINUTE_MS, type Random, SECOND_MS } from '@/lib/platform/core/clock';
import { isLoopback } from '@/lib/platform/core/loopback';
import { toWholeShillings } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import { credentialsReader, describeFields, originUrl, secretText } from '@/lib/providers/port/credentials';
import {
  type Capabilities,
  type ProviderAccount,
  type ProviderAdapter,
  type RawAnswer,
  type RawCallback,
  type ReadCallback,
  USUAL_LIMITS,
} from '@/lib/providers/port/port';
import { callJson, isSuccess, jsonReply, noToken, notSent, parseJson } from '@/lib/providers/port/raw-answer';
import { createSharedSessions, OPEN_TIMEOUT_MS, type SessionDependencies } from '@/lib/providers/port/sessions';
import {
  parseAnswer,
  readPayoutAnswer,
  readPayoutStatus,
  readPushAnswer,
  readRefundAnswer,
  readRefundStatus,
  readStatusAnswer,
  refusesClient,
  refusesToken,
  unlessAboutAnother,
} from './read';
import {
  COUNTRY,
  CURRENCY,
  callbackSchema,
  ENQUIRY_PATH,
  encryptPin,
  KEYS_PATH,
  keysSchema,
  type PaymentRequest,
  type PayoutRequest,
  paymentPath,
  payoutPath,
  type RefundRequest,
  readPublicKey,
  refundPath,
  signMessage,
  TOKEN_PATH,
  tokenSchema,
  toReferenceText,
  VERSIONS,
} from './wire';

/** The hosts of each environment: the host for Tanzania, then the older host for all countries. */
const HOSTS: Readonly<Record<Environment, readonly [string, string]>> = {
  live: ['openapi.airtel.co.tz', 'openapi.airtel.africa'],
  sandbox: ['openapiuat.airtel.co.tz', 'openapiuat.airtel.africa'],
};
const LIVE_URL = `https://${HOSTS.live[0]}`;
const SANDBOX_URL = `https://${HOSTS.sandbox[0]}`;

const credentialsSchema = z.strictObject({
  clientId: secretText('clientId', 4, 200),
  clientSecret: secretText('clientSecret', 4, 500),
  version: z.enum(VERSIONS, 'version must be "v1" or "v2"').default('v1'),
  baseUrl: originUrl('baseUrl').default(LIVE_URL),
  payoutPin: secretText('payoutPin', 4, 8).regex(/^\d+$/, 'payoutPin must be digits').optional(),
  payoutKey: secretText('payoutKey', 1, 1_000)
    .refine((text) => readPublicKey(text) !== null, 'payoutKey must be an RSA key in base64 (DER)')
    .optional(),
});
type AirtelCredentials = z.infer<typeof credentialsSchema>;
export type AirtelCredentialsInput = z.input<typeof credentialsSchema>;

const { parseCredentials, withCredentials, accountMembers } = credentialsReader('Airtel Money', credentialsSchema);

/** Returns what is wrong with the credentials: real money must never pay a sandbox bill, nor sandbox money a live bill. */
function check({ baseUrl, payoutPin, payoutKey }: AirtelCredentials, environment: Environment): readonly string[] {
  if ((payoutPin === undefined) !== (payoutKey === undefined)) return ['payoutPin and payoutKey are needed together.'];
  const url = new URL(baseUrl);
  if (isLoopback(url) || HOSTS[environment].includes(url.hostname)) return [];
  const [own, old] = HOSTS[environment];
  const place = environment === 'live' ? 'live' : 'the sandbox';
  return [`baseUrl must be https://${own} or https://${old} for an account in ${place}.`];
}

export const AIRTEL_FIELDS = describeFields<keyof AirtelCredentialsInput>({
  clientId: { text: "the application's client id, from the portal", absent: null },
  clientSecret: { text: "the application's client secret, from the portal", absent: null },
  version: {
    text: '"v1", or "v2" if the portal requires message signing for the application: requests are then signed with a key that Airtel gives out',
    absent: 'v1',
  },
  baseUrl: { text: `the address of the API, without a path; ${SANDBOX_URL} for the sandbox`, absent: LIVE_URL },
  payoutPin: { text: "the PIN of the merchant's wallet, to refund a part of a payment by a payout", absent: 'no payouts' },
  payoutKey: { text: "Airtel's RSA key for the encryption of the PIN, from the portal, in base64 (DER)", absent: 'no payouts' },
});

/** Returns the encrypted PIN of the wallet; null if the credentials do not contain what payouts need. */
function encryptedPin({ payoutPin, payoutKey }: AirtelCredentials): string | null {
  const key = payoutKey === undefined ? null : readPublicKey(payoutKey);
  return payoutPin === undefined || key === null ? null : encryptPin(payoutPin, key);
}

export const AIRTEL_CAPABILITIES: Capabilities = {
  // Neither limit of amounts is documented.
  ...USUAL_LIMITS,
  // Airtel asks for three minutes between a payment request and its first status query. An earlier query may get "not found".
  firstQueryMs: 3 * MINUTE_MS,
  unknownQueryMs: 3 * MINUTE_MS,
  refusesDuplicates: true,
  queriedBy: 'reference',
  repeatsAnswerMs: 0,
  signsCallbacks: false,
  indexingMs: 5 * MINUTE_MS,
  networks: ['airtel'],
};

/** Creates the adapter of Airtel Money Tanzania: the Airtel Africa Open API. */
export function createAirtelAdapter(dependencies: Parameters<typeof createAirtelClient>[0]): ProviderAdapter {
  const call = createAirtelClient(dependencies);
  return {
    name: 'airtel',
    capabilities: AIRTEL_CAPABILITIES,
    ...accountMembers({
      callsAtOnce: 20,
      check,
      address: ({ baseUrl }) => baseUrl,
      till: ({ clientId }) => ({ name: 'clientId', value: clientId, is: 'application' }),
    }),
    send: (account, { reference, mobile, amount, description }, signal) =>
      call(account, signal, ({ version }) => ({
        path: paymentPath(version),
        body: {
          reference: toReferenceText(description),
          // Nine digits: Airtel does not find numbers with 255 or 0.
          subscriber: { country: COUNTRY, currency: CURRENCY, msisdn: mobile.slice(1) },
          transaction: { amount: Number(toWholeShillings(amount)), country: COUNTRY, currency: CURRENCY, id: reference },
        },
      })),
    readAnswer: readPushAnswer,
    query: (account, { reference }, signal) => call(account, signal, () => ({ path: `${ENQUIRY_PATH}/${reference}` })),
    readStatus: readStatusAnswer,
    readCallback: (_account, callback) => readCallback(callback),
    reversals: {
      partial: false,
      send: (account, { transactionId }, signal) =>
        call(account, signal, ({ version }) => ({ path: refundPath(version), body: { transaction: { airtel_money_id: transactionId } } })),
      readAnswer: readRefundAnswer,
      async query(account, { promptReference }, signal) {
        if (promptReference === null) return notSent('Airtel finds only payments that belong to an attempt');
        return unlessAboutAnother(await call(account, signal, () => ({ path: `${ENQUIRY_PATH}/${promptReference}` })), promptReference);
      },
      readStatus: readRefundStatus,
    },
    payouts: {
      // Neither limit of amounts is documented.
      minAmount: AIRTEL_CAPABILITIES.minAmount,
      maxAmount: AIRTEL_CAPABILITIES.maxAmount,
      networks: AIRTEL_CAPABILITIES.networks,
      offeredBy(credentials) {
        const parsed = parseCredentials(credentials);
        return parsed.ok && encryptedPin(parsed.value) !== null;
      },
      send: (account, { reference, mobile, amount }, signal) =>
        call(account, signal, (credentials) => {
          const pin = encryptedPin(credentials);
          if (pin === null || mobile === null) return notSent('the account has no payoutPin and payoutKey, or the number is not known');
          const transaction = { amount: Number(toWholeShillings(amount)), id: reference, type: 'B2C' } as const;
          const payee = { currency: CURRENCY, msisdn: mobile.slice(1) } as const;
          return { path: payoutPath(credentials.version), body: { payee, reference: `Refund ${reference}`, pin, transaction } };
        }),
      readAnswer: readPayoutAnswer,
      query: (account, { reference }, signal) =>
        call(account, signal, ({ version }) => ({ path: `${payoutPath(version)}${reference}?transactionType=B2C` })),
      readStatus: readPayoutStatus,
    },
  };
}

/** Sources contradict each other about the key and the text of a callback's hash. So each callback only triggers a status query. */
function readCallback({ body }: RawCallback): ReadCallback {
  const transaction = callbackSchema.safeParse(parseJson(body)).data?.transaction;
  const claimsPaid = transaction?.status_code?.trim().toUpperCase() === 'TS';
  return { reference: transaction?.id ?? null, verified: false, outcome: null, claimsPaid, reply: jsonReply({}) };
}

/** The documented lifetime of a token. It applies if the answer contains no readable lifetime. */
const TOKEN_SECONDS = 180;
const SIGNATURE_MISMATCHES: readonly string[] = ['DP00800001026', 'DP00900001016'];

interface Call {
  readonly path: string;
  /** Absent in a GET request. */
  readonly body?: PaymentRequest | RefundRequest | PayoutRequest;
}

/** Creates the function that calls the API with a token, and signs the messages of v2. It never throws. */
function createAirtelClient({ random, ...dependencies }: SessionDependencies & { readonly random: Random }) {
  const sessions = createSharedSessions(dependencies);
  const keys = createEncryptionKeys(dependencies.clock);

  async function callWithToken(
    account: ProviderAccount,
    credentials: AirtelCredentials,
    { path, body }: Call,
    signal: AbortSignal,
  ): Promise<{ readonly answer: RawAnswer; readonly mayRepeat: boolean }> {
    const session = await sessions.get(account, { open: (stop) => openSession(credentials, stop) }, signal);
    if (!session.ok) return { answer: session.error, mayRepeat: false };
    const { token, drop } = session.value;

    const exchange = async (to: string, content?: Call['body'], signature: Readonly<Record<string, string>> = {}): Promise<RawAnswer> => {
      const headers = { accept: '*/*', authorization: `Bearer ${token}`, 'x-country': COUNTRY, 'x-currency': CURRENCY, ...signature };
      const answer = await callJson(new URL(to, credentials.baseUrl), { headers, body: content, signal });
      if (answer.lost === null && answer.status === 401) await drop();
      return answer;
    };

    if (!body) {
      const answer = await exchange(path);
      return { answer, mayRepeat: answer.lost === null && answer.status === 401 };
    }
    if (credentials.version === 'v1') {
      const answer = await exchange(path, body);
      return { answer, mayRepeat: refusesToken(answer) };
    }
    const key = await keys.find(account, () => exchange(KEYS_PATH));
    if (!key.ok) return { answer: key.error, mayRepeat: refusesToken(key.error) };
    // The signed text must equal the text that `callJson` sends, so both use `JSON.stringify`.
    const answer = await exchange(path, body, signMessage(JSON.stringify(body), key.value, random));
    if (parseAnswer(answer)?.codes.some((code) => SIGNATURE_MISMATCHES.includes(code))) keys.forget(account);
    return { answer, mayRepeat: refusesToken(answer) };
  }

  /**
   * Makes a call. If Airtel refuses the token, the request had no effect, and the call is made once more with a new token.
   * @param describe returns the call, or the answer that says why it is not made.
   */
  return (
    account: ProviderAccount,
    signal: AbortSignal,
    describe: (credentials: AirtelCredentials) => Call | RawAnswer,
  ): Promise<RawAnswer> =>
    withCredentials(account, async (credentials) => {
      const call = describe(credentials);
      if ('lost' in call) return call;
      const first = await callWithToken(account, credentials, call, signal);
      return first.mayRepeat ? (await callWithToken(account, credentials, call, signal)).answer : first.answer;
    });
}

async function openSession({ baseUrl, clientId, clientSecret }: AirtelCredentials, signal: AbortSignal) {
  const answer = await callJson(new URL(TOKEN_PATH, baseUrl), {
    headers: { accept: '*/*' },
    body: { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' },
    timeoutMs: OPEN_TIMEOUT_MS,
    signal,
  });
  const opened = answer.lost === null && answer.status === 200 ? tokenSchema.safeParse(parseJson(answer.body)).data : undefined;
  if (opened) return ok({ token: opened.access_token, lifeMs: lifeOf(opened.expires_in) });
  // This answer says that the credentials are wrong. After any other answer, the next request for a token may succeed.
  if (answer.lost === null && refusesClient(answer)) return fail(answer);
  return fail(noToken(answer));
}

function lifeOf(expiresIn: string | number | null | undefined): number {
  const seconds = Number(expiresIn);
  return Math.min((seconds >= 1 ? seconds : TOKEN_SECONDS) * SECOND_MS, DAY_MS);
}

/** How long a key is used. The time is short, because Bili does not know when a key expires: the time zone of `valid_upto` is unknown. */
const USED_MS = 10 * MINUTE_MS;

interface Known {
  readonly credentials: string | null;
  readonly key: KeyObject;
  readonly until: Date;
}

/** Creates a cache of Airtel's RSA keys, by provider account. */
function createEncryptionKeys(clock: Clock) {
  const known = new Map<string, Known>();
  return {
    /**
     * Returns the key of an account. If there is none because Airtel refused the access token, the error is Airtel's answer. In all other
     * cases without a key, the error says why the request was not sent. @param request asks Airtel for the key.
     */
    async find({ id, credentials }: ProviderAccount, request: () => Promise<RawAnswer>): Promise<Result<KeyObject, RawAnswer>> {
      const remembered = known.get(id);
      const now = clock();
      if (remembered?.credentials === credentials && now < remembered.until) return ok(remembered.key);
      const answer = await request();
      const parsed = answer.lost === null && isSuccess(answer) ? keysSchema.safeParse(parseJson(answer.body)).data : undefined;
      const key = parsed ? readPublicKey(parsed.data.key) : null;
      if (key) {
        known.set(id, { credentials, key, until: addMs(now, USED_MS) });
        return ok(key);
      }
      return fail(refusesToken(answer) ? answer : notSent(`no encryption key: ${answer.error ?? `HTTP ${answer.status}`}`));
    },
    /** Forgets the key of an account, because Airtel refused a signature that was made with it. */
    forget: ({ id }: ProviderAccount) => known.delete(id),
  };
}
