import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { MINUTE_MS, SECOND_MS } from '@/lib/platform/core/clock';
import { isLoopback } from '@/lib/platform/core/loopback';
import { toInternational } from '@/lib/platform/core/mobile';
import { toWholeShillings } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import { callOnce } from '@/lib/platform/outbound/call-once';
import { credentialsReader, describeFields, pathUrl, secretText, wholeNumberBetween } from '@/lib/providers/port/credentials';
import {
  type Capabilities,
  type ProviderAccount,
  type ProviderAdapter,
  type RawAnswer,
  type RawCallback,
  type ReadCallback,
  USUAL_LIMITS,
} from '@/lib/providers/port/port';
import { CALL_TIMEOUT_MS, callJson, jsonReply, noToken, notSent, parseJson, toRawAnswer } from '@/lib/providers/port/raw-answer';
import { createSharedSessions, OPEN_TIMEOUT_MS, type OpenedSession, type SessionDependencies } from '@/lib/providers/port/sessions';
import { writeFlatXml } from '@/lib/providers/port/xml';
import {
  COMMAND,
  callbackSchema,
  endsToken,
  type PushRequest,
  type RefundRequest,
  readPushAnswer,
  readRefundAnswer,
  readRefundStatus,
  readStatusAnswer,
  refusesClient,
  refusesToken,
  STATUS_TYPE,
  tokenSchema,
} from './wire';

const PER_MINUTE = 300;
const CALLBACK_REPLIES = ['classic', 'request_to_pay'] as const;

const mobile = (name: string) =>
  z.string(`${name} is missing`).regex(/^255[67]\d{8}$/, `${name} must be a number such as 255712345678, without spaces`);

const credentialsSchema = z.strictObject({
  username: secretText('username', 1, 200),
  password: secretText('password', 1, 200),
  billerMsisdn: mobile('billerMsisdn'),
  billerCode: z.string('billerCode is missing').regex(/^[A-Za-z0-9]{1,20}$/, 'billerCode must be 1 to 20 letters and digits'),
  tokenUrl: pathUrl('tokenUrl'),
  pushUrl: pathUrl('pushUrl'),
  statusUrl: pathUrl('statusUrl'),
  statusPin: secretText('statusPin', 1, 20),
  refundUrl: pathUrl('refundUrl').optional(),
  refundMsisdn: mobile('refundMsisdn').optional(),
  refundPin: secretText('refundPin', 1, 20).optional(),
  callbackReply: z.enum(CALLBACK_REPLIES, 'callbackReply must be "classic" or "request_to_pay"').default('classic'),
  certificates: z
    .string('certificates must be a text')
    .max(20_000, 'certificates may have at most 20000 characters')
    .refine(areCertificates, 'certificates must be certificates in PEM form')
    .optional(),
  callsPerMinute: wholeNumberBetween('callsPerMinute', 1, 10_000).default(PER_MINUTE),
});
type MixxCredentials = z.infer<typeof credentialsSchema>;
export type MixxCredentialsInput = z.input<typeof credentialsSchema>;

const { parseCredentials, withCredentials, accountMembers } = credentialsReader('Mixx by Yas', credentialsSchema);

function areCertificates(text: string): boolean {
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return certificates.every((one) => new X509Certificate(one)) && certificates.length > 0;
  } catch {
    return false;
  }
}

/**
 * Returns what is wrong with the account: real money must never pay a sandbox bill, nor sandbox money a live bill. The host names
 * of test systems contain "test".
 */
function checkAccount(credentials: MixxCredentials, environment: Environment): readonly string[] {
  const { tokenUrl, pushUrl, statusUrl, refundUrl, refundMsisdn, refundPin } = credentials;
  const problems: string[] = [];
  for (const [name, text] of Object.entries({ tokenUrl, pushUrl, statusUrl, refundUrl })) {
    const url = text === undefined ? null : new URL(text);
    if (url === null || isLoopback(url)) continue;
    const isTest = url.hostname.includes('test');
    if (environment === 'live' && isTest) problems.push(`${name} is an address for tests, and the account is in live.`);
    if (environment === 'sandbox' && !isTest) problems.push(`${name} must be an address for tests for an account in the sandbox.`);
  }
  const refunds = [refundUrl, refundMsisdn, refundPin].filter((one) => one !== undefined).length;
  if (refunds > 0 && refunds < 3) problems.push('refundUrl, refundMsisdn and refundPin are needed together.');
  return problems;
}

export const MIXX_FIELDS = describeFields<keyof MixxCredentialsInput>({
  username: { text: 'the user name for tokens and prompts, from Yas', absent: null },
  password: { text: 'its password', absent: null },
  billerMsisdn: { text: 'the number of the biller: 255712345678', absent: null },
  billerCode: { text: 'the biller code, with which every reference begins', absent: null },
  tokenUrl: { text: 'the address for tokens', absent: null },
  pushUrl: { text: 'the address for prompts', absent: null },
  statusUrl: { text: 'the address of the status query (TQS). Without it no payment can be confirmed', absent: null },
  statusPin: { text: 'the PIN for the status query', absent: null },
  refundUrl: { text: 'the address for refunds', absent: 'no refunds' },
  refundMsisdn: { text: 'the number of the channel for refunds', absent: 'no refunds' },
  refundPin: { text: 'the PIN of the channel for refunds', absent: 'no refunds' },
  callbackReply: {
    text: 'the form of replies to callbacks: "classic", or "request_to_pay" if Yas asks for the newer one',
    absent: 'classic',
  },
  certificates: {
    text: 'the certificates of Yas (PEM), if its servers do not use a public certificate authority',
    absent: 'public certificate authorities',
  },
  callsPerMinute: { text: 'limit of requests per minute, over all workers. No limit is documented', absent: String(PER_MINUTE) },
});

export const MIXX_CAPABILITIES: Capabilities = {
  // The limits of amounts differ by biller, and a refusal names them.
  ...USUAL_LIMITS,
  firstQueryMs: MINUTE_MS,
  unknownQueryMs: MINUTE_MS,
  // Yas refuses a reference that was used before. The value is false nevertheless, because with true Bili would send the request again if a
  // status query says "not found". No code of the status query proves that Yas does not have the first request.
  refusesDuplicates: false,
  queriedBy: 'reference',
  repeatsAnswerMs: 0,
  signsCallbacks: false,
  indexingMs: MINUTE_MS,
  networks: ['yas'],
};

/** Creates the adapter of Mixx by Yas, whose prompts go directly to the network. */
export function createMixxAdapter(dependencies: SessionDependencies): ProviderAdapter {
  const sessions = createSharedSessions(dependencies);

  /**
   * Sends JSON with a token. If Yas refuses the token, it has done nothing else, and the same JSON is sent once more with a new token.
   * @param describe returns the request, or a text that says why the account is not set up for the request.
   */
  async function post(
    account: ProviderAccount,
    signal: AbortSignal,
    describe: (credentials: MixxCredentials) => { readonly url: string; readonly body: PushRequest | RefundRequest } | string,
  ): Promise<RawAnswer> {
    const first = await postWithToken(account, signal, describe);
    return refusesToken(first) ? postWithToken(account, signal, describe) : first;
  }

  function postWithToken(...[account, signal, describe]: Parameters<typeof post>): Promise<RawAnswer> {
    return withCredentials(account, async (credentials) => {
      const request = describe(credentials);
      if (typeof request === 'string') return notSent(request);
      const session = await sessions.get(account, { open: (stop) => openSession(credentials, stop) }, signal);
      if (!session.ok) return session.error;
      const { username, password, certificates } = credentials;
      const answer = await callJson(request.url, {
        headers: { 'cache-control': 'no-cache', authorization: `bearer ${session.value.token}`, username, password },
        body: request.body,
        signal,
        ca: certificates,
      });
      if (endsToken(answer)) await session.value.drop();
      return answer;
    });
  }

  return {
    name: 'mixx',
    capabilities: MIXX_CAPABILITIES,
    ...accountMembers({
      callsAtOnce: 10,
      callsPerMinute: ({ callsPerMinute }) => callsPerMinute,
      check: checkAccount,
      address: ({ pushUrl }) => pushUrl,
      till: ({ billerMsisdn }) => ({ name: 'shortcode', value: billerMsisdn, is: 'number' }),
    }),
    send: (account, prompt, signal) =>
      post(account, signal, ({ pushUrl, billerMsisdn, billerCode }) => ({
        url: pushUrl,
        body: {
          CustomerMSISDN: toInternational(prompt.mobile),
          BillerMSISDN: billerMsisdn,
          Amount: Number(toWholeShillings(prompt.amount)),
          ReferenceID: `${billerCode}${prompt.reference}`,
        },
      })),
    readAnswer: readPushAnswer,
    query: (account, { reference }, signal) => queryStatus(account, reference, signal),
    readStatus: readStatusAnswer,
    readCallback,
    reversals: {
      partial: false,
      send: (account, { reference, transactionId, promptReference, mobile, amount }, signal) =>
        post(account, signal, ({ refundUrl, refundMsisdn, refundPin, billerCode }) => {
          if (refundUrl === undefined || refundMsisdn === undefined || refundPin === undefined) return 'the account has no refundUrl';
          if (promptReference === null || mobile === null) return 'only a payment with a payment request can be refunded';
          return {
            url: refundUrl,
            body: {
              CustomerMSISDN: toInternational(mobile),
              ChannelMSISDN: refundMsisdn,
              ChannelPIN: refundPin,
              Amount: Number(toWholeShillings(amount)),
              MFSTransactionID: transactionId,
              ReferenceID: `${billerCode}${reference}`,
              PurchaseReferenceID: `${billerCode}${promptReference}`,
            },
          };
        }),
      readAnswer: readRefundAnswer,
      query: (account, { promptReference }, signal) => queryStatus(account, promptReference ?? '', signal),
      readStatus: (answer, { promptReference }) => readRefundStatus(answer, promptReference),
    },
  };
}

/** Asks for the state of a payment, in XML and without a token. @param reference our reference. */
function queryStatus(account: ProviderAccount, reference: string, signal: AbortSignal): Promise<RawAnswer> {
  return withCredentials(account, async ({ statusUrl, statusPin, billerMsisdn, billerCode, certificates }) => {
    const answer = await callOnce(statusUrl, {
      headers: { 'content-type': 'text/xml' },
      body: writeFlatXml(COMMAND, {
        TYPE: STATUS_TYPE,
        REFERENCEID: reference,
        MSISDN: billerMsisdn,
        PIN: statusPin,
        EXTERNALREFID: `${billerCode}${reference}`,
      }),
      timeoutMs: CALL_TIMEOUT_MS,
      signal,
      ca: certificates,
    });
    return toRawAnswer(answer);
  });
}

/**
 * The shortest lifetime of a token. It applies if Yas names a shorter lifetime or none that is readable. It is long enough for the requests
 * that already wait for the token.
 */
const MIN_LIFE_MS = 10 * SECOND_MS;

/** Asks for a token. */
async function openSession(credentials: MixxCredentials, signal: AbortSignal): Promise<Result<OpenedSession, RawAnswer>> {
  const { tokenUrl, username, password, certificates } = credentials;
  const answer = toRawAnswer(
    await callOnce(tokenUrl, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username, password, grant_type: 'password' }).toString(),
      timeoutMs: OPEN_TIMEOUT_MS,
      signal,
      ca: certificates,
    }),
  );
  const opened = answer.lost === null && answer.status === 200 ? tokenSchema.safeParse(parseJson(answer.body)).data : undefined;
  if (opened) return ok({ token: opened.access_token, lifeMs: Math.max(opened.expires_in * SECOND_MS, MIN_LIFE_MS) });
  // This answer says that the credentials are wrong. After any other answer, the next request for a token may succeed.
  if (refusesClient(answer)) return fail(answer);
  return fail(noToken(answer));
}

/** The form of our reference. Some relays send it back without the biller code in front. */
const BARE = /^[A-Z0-9]{20}$/;

/** Reads a callback. It is not signed, so a status query must confirm it. */
function readCallback(account: ProviderAccount, { body }: RawCallback): ReadCallback {
  const callback = callbackSchema.safeParse(parseJson(body)).data;
  const credentials = parseCredentials(account.credentials);
  const code = credentials.ok ? credentials.value.billerCode : '';
  const theirs = callback?.ReferenceID ?? '';
  return {
    reference: BARE.test(theirs) ? theirs : theirs.startsWith(code) ? theirs.slice(code.length) || null : null,
    providerReference: theirs || null,
    verified: false,
    outcome: null,
    claimsPaid: callback?.Status ?? callback?.MFSTransactionID != null,
    reply: replyTo(theirs, credentials.ok ? credentials.value.callbackReply : 'classic'),
  };
}

/**
 * Creates the reply to a callback. The reply says that the callback was received or, if `reference` is empty, that it is not readable.
 * @param reference the `ReferenceID` of the callback; empty if the callback is not readable.
 */
function replyTo(reference: string, form: MixxCredentials['callbackReply']): ReadCallback['reply'] {
  const received = reference !== '';
  const code = received ? 'BILLER-18-0000-S' : 'BILLER-18-3020-E';
  const description = received ? 'Callback received' : 'Callback is not readable';
  const body =
    form === 'classic'
      ? { ResponseCode: code, ResponseStatus: received, ResponseDescription: description, ReferenceID: reference }
      : {
          success: received,
          responseCode: code,
          transactionStatus: String(received),
          errorDescription: received ? '' : description,
          referenceID: reference,
        };
  return jsonReply(body);
}
